import type { CaseGroup } from '../../case.ts'
import { ensure, isProblem, wellFormedProblem } from '../../check.ts'
import { openSite } from '../../practice.ts'

/** The metadata services of clouds, private and special networks, in every notation that some resolver understands. */
const closed: readonly string[] = [
  'https://169.254.169.254/latest/meta-data/',
  'https://168.63.129.16/',
  'https://2852039166/',
  'https://0xa9fea9fe/',
  'https://0xa9.0xfe.0xa9.0xfe/',
  'https://0251.0376.0251.0376/',
  'https://169.254.43518/',
  'https://169.254.169.254./',
  'https://%31%36%39.254.169.254/',
  'https://１６９.254.169.254/',
  'https://169。254。169。254/',
  'https:169.254.169.254/',
  'https:\\\\169.254.169.254\\',
  'https:///169.254.169.254/',
  'https://[::ffff:169.254.169.254]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[::169.254.169.254]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[64:ff9b:1::a9fe:a9fe]/',
  'https://[2002:a9fe:a9fe::1]/',
  'https://[2001:0:a9fe:a9fe::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[::]/',
  'https://100.100.100.200/',
  'https://100.64.0.1/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.0.1/',
  'https://192.0.0.192/',
  'https://198.18.0.1/',
  'https://0.0.0.0/',
  'https://0/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
]

/** The machine itself, which only development may reach. */
const loopback: readonly string[] = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://localhost/',
  'https://localhost./',
  'https://a.localhost/',
]

/** Texts that are no address of a receiver, or that hide one. */
const noTargets: readonly string[] = [
  'https://user:secret@subscriber.example/',
  'https://subscriber.example@169.254.169.254/',
  'file:///etc/passwd',
  'gopher://subscriber.example/1GET',
  'ftp://subscriber.example/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'unix:///run/docker.sock',
  'https://',
  'https://subscriber.example:99999/',
  'https://subscriber.example\u0000.attacker.example/',
  '//subscriber.example/',
  '/only/a/path',
]

export const targets: CaseGroup = {
  title: 'attacks: targets of webhooks',
  cases: [
    {
      title:
        'No form of a private, special or metadata address is taken as a target, nor anything that is no web address',
      async run(system) {
        const params = { SiteSlug: (await openSite(system)).SiteSlug }
        const subscribe = (Url: string) =>
          system.call('subscribe', { params, body: { EventTypes: ['payment.*'], Url } })
        const isDevelopment = (await subscribe('https://127.0.0.1/')).status === 201
        if (isDevelopment) await system.success('unsubscribe', { params })
        for (const target of [...closed, ...noTargets, ...(isDevelopment ? [] : loopback)]) {
          const answer = await subscribe(target)
          ensure([400, 422].includes(answer.status), answer, `${target} is taken`)
          wellFormedProblem(answer)
        }
        isProblem(await system.call('getSubscription', { params }), { status: 404, code: 'subscription_not_found' })
      },
    },
    {
      title: 'A header of a subscription cannot break a delivery apart, nor replace what the delivery sets',
      async run(system) {
        const params = { SiteSlug: (await openSite(system)).SiteSlug }
        const headers = [
          { Name: 'X-A', Value: 'a\r\nX-Evil: 1' },
          { Name: 'X-A', Value: 'a\nX-Evil: 1' },
          { Name: 'X-A', Value: 'a\u0000' },
          { Name: 'X-A', Value: 'a\r\n\r\nGET / HTTP/1.1' },
          { Name: 'X-A: 1\r\nX-Evil', Value: '1' },
          { Name: 'X A', Value: '1' },
          { Name: '', Value: '1' },
          { Name: 'Host', Value: '169.254.169.254' },
          { Name: 'Transfer-Encoding', Value: 'chunked' },
          { Name: 'content-length', Value: '0' },
          { Name: 'Webhook-Signature', Value: 'v1,forged' },
          { Name: 'Proxy-Authorization', Value: 'Basic eA==' },
        ]
        for (const header of headers) {
          const body = { EventTypes: ['payment.*'], Url: 'https://subscriber.example/', Headers: [header] }
          const answer = await system.call('subscribe', { params, body })
          ensure([400, 422].includes(answer.status), answer, `${JSON.stringify(header)} is taken`)
          wellFormedProblem(answer)
        }
      },
    },
  ],
}

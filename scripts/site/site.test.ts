import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AccountStatus, PaymentStatus } from '@frontdesk/contracts'
import { describe, expect, test } from 'vitest'
import { siteFolder } from './build.ts'
import { onSite, sectionOf } from './links.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

describe('the built site', () => {
  test('has no broken link: each leads to a page, a file or a section that is there', () => {
    const html = readdirSync(siteFolder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
    expect(html.length, 'run `npm run docs` first').toBeGreaterThan(20)
    const texts = new Map(
      html.map((name) => [
        `/docs/${name.replace(/(index)?\.html$/, '')}`,
        read(join(siteFolder, name).slice(root.length + 1)),
      ]),
    )
    const broken: string[] = []
    for (const [address, text] of texts) {
      for (const [, link = ''] of text.matchAll(/\s(?:href|src)="([^"]+)"/g)) {
        const { host, pathname, hash } = new URL(link.replaceAll('&amp;', '&'), `http://site${address}`)
        // Documents of the gateway, and other hosts, which a test must not ask.
        if (host !== 'site' || !pathname.startsWith('/docs/')) continue
        const target = texts.get(pathname)
        const isThere = target === undefined ? existsSync(join(siteFolder, pathname.slice('/docs/'.length))) : true
        const anchor = decodeURIComponent(hash.slice(1))
        if (!isThere || (anchor !== '' && target?.includes(`id="${anchor}"`) !== true))
          broken.push(`${address}: ${link}`)
      }
    }
    expect(broken).toEqual([])
  })
})

describe('the sources of the site', () => {
  test.each([
    ['docs/guide/pictures/payment-states.svg', 'docs/guide/payments.md', PaymentStatus.enum],
    ['docs/guide/pictures/account-states.svg', 'docs/guide/accounts.md', AccountStatus.enum],
  ])('%s and its page have every status and no other', (picture, page, statuses) => {
    const shown = [...read(picture).matchAll(/<text [^>]*text-anchor="middle">(\w+)<\/text>/g)]
      .filter(([whole]) => !whole.includes('class="note"'))
      .map(([, name = '']) => name)
    expect(shown.toSorted()).toEqual([...statuses].toSorted())
    for (const status of statuses) expect(read(page)).toContain(`\`${status}\``)
  })

  test('the page of rate limits has the quotas of the gateway', () => {
    const limits = read('services/gateway/src/rate-limits/limits.ts')
    const page = read('docs/guide/rate-limits.md')
    const quotas = [...limits.matchAll(/requests: (\d+), windowSeconds: (\d+)/g)]
    expect(quotas.length).toBeGreaterThan(5)
    for (const [, requests, seconds] of quotas) {
      expect(page).toMatch(
        new RegExp(`\\| ${requests} \\| ${seconds === '60' ? 'a minute' : `${seconds} seconds`} \\|`),
      )
    }
  })
})

describe('onSite', () => {
  const addresses = new Map([
    ['docs/guide/payments.md', 'payments'],
    ['docs/refunds.md', 'refunds'],
  ])
  const moved = (markdown: string) => onSite(markdown, 'docs/guide/payments.md', addresses)

  test('links between files become links between addresses', () => {
    expect(moved('[a](../refunds.md#x), [b](payments.md), [c](/docs/errors#conflict)')).toBe(
      '[a](/refunds#x), [b](/payments), [c](/errors#conflict)',
    )
    expect(moved('<<< ../receivers/receiver.go')).toBe('<<< ./receivers/receiver.go')
    expect(moved('![States](pictures/states.svg)')).toBe('![States](/pictures/states.svg)')
  })

  test('a link to a file that readers do not have becomes its text, or nothing', () => {
    expect(moved('See [why](../decisions/037.md). Done ([how](../operating.md)).')).toBe('See why. Done.')
    expect(moved('[RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)')).toContain('](https:')
  })

  test('a section of a file can be a page', () => {
    expect(sectionOf('# A\n\n## One\n1\n\n## Two\n2\n', 'Title', 'One')).toBe('# Title\n\n1\n\n')
    expect(() => sectionOf('# A\n', 'Title', 'One')).toThrow('There is no section "One"')
  })
})

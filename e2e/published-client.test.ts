import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { findChromium, launchChromium } from '@frontdesk/testing/chromium'
import { eventually } from '@frontdesk/testing/eventually'
import { throwAwayFolder, type ThrowAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packPythonClient } from '../scripts/pack-python-client.ts'
import { expectRetriesOf } from './published-client/python-retries.ts'
import { startSystem, type StartedSystem } from './system/start-system.ts'

const root = join(import.meta.dirname, '..')
const packageFolder = join(root, 'libs/client')
const run = promisify(execFile)

/** The project of a customer, with the packed client in its node_modules. */
let project: ThrowAwayFolder
let packed: { filename: string; files: { path: string }[] }
beforeAll(async () => {
  project = await throwAwayFolder()
  const npm = (args: string[], cwd: string) => run('npm', [...args, '--cache', join(project.path, 'cache')], { cwd })
  const { stdout } = await npm(['pack', '--json', '--silent', '--pack-destination', project.path], packageFolder)
  ;[packed] = JSON.parse(stdout) as [typeof packed]
  await writeFile(join(project.path, 'package.json'), JSON.stringify({ type: 'module' }))
  await npm(['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`], project.path)
})
afterAll(() => project?.[Symbol.asyncDispose]())

let system: StartedSystem
beforeAll(async () => void (system = await startSystem()))
afterAll(() => system?.[Symbol.asyncDispose]())

const installed = (path: string) => join(project.path, 'node_modules/@frontdesk/client', path)

test('`npm pack` makes a package of JavaScript with types and the README, which needs no other package', async () => {
  const paths = packed.files.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']))
  expect(paths.filter((path) => !/^(README\.md|package\.json|dist\/.*(\.js|\.d\.ts))$/.test(path))).toEqual([])
  expect(paths.filter((path) => path.includes('.test.'))).toEqual([])
  expect(await readdir(join(project.path, 'node_modules'))).toEqual(['.package-lock.json', '@frontdesk'])
  expect(await readdir(join(project.path, 'node_modules/@frontdesk'))).toEqual(['client'])
})

test('The package says nothing of what is inside of Frontdesk, and uses nothing that only Node has', async () => {
  for (const { path } of packed.files.filter((file) => file.path.startsWith('dist/'))) {
    const text = await readFile(installed(path), 'utf8')
    const isInternal =
      /@frontdesk\/(?!client)|internal\/|\/_internal|typebox|evt\.|nats|payment\.settled|site\.updated/i
    const isOfNode = /from ['"]node:|require\(|\bBuffer\b|\bprocess\.(?!env\[)/
    expect([path, isInternal.exec(text)?.[0], isOfNode.exec(text)?.[0]]).toEqual([path, undefined, undefined])
  }
})

test('In a browser the package loads as it is, and verifies a webhook', async ({ skip }) => {
  const executable = findChromium()
  if (executable === undefined) return skip('no Chromium')
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const body = JSON.stringify({ type: 'payment.succeeded' })
  const at = new Date()
  const signed = {
    body,
    secret,
    headers: {
      'webhook-id': 'e1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('e1', at, body),
    },
  }
  const page = `<!doctype html><title>-</title><script type="module">
    import { createClient, isFrontdeskEvent, verifyWebhook } from './dist/index.js'
    const { event } = await verifyWebhook(${JSON.stringify(signed)})
    const { payments } = createClient({ baseUrl: location.origin, credentials: { siteKey: 'k' } })
    document.title = [isFrontdeskEvent(event), typeof payments.create].join(' ')
  </script>`
  const server = createServer(({ url = '' }, response) => {
    const isScript = url.endsWith('.js')
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    response.end(isScript ? readFileSync(installed(url)) : page)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const browser = await launchChromium(executable)
  try {
    const tab = await browser.newPage()
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await eventually(async () => expect(await tab.title()).toBe('true function'), { within: 15_000, every: 100 })
  } finally {
    await browser.close()
    server.close()
  }
})

test('The examples of the README compile, and run through as one program against a running system', async () => {
  await compileReadme()
  for (const node of await everyNode()) {
    await playProgram({
      command: [node, 'built/readme.js'],
      cwd: project.path,
      says: [
        'Completed since',
        '1500 of 4500',
        'too late',
        'and no more',
        'of another system: subscription.test',
        'published: 1',
      ],
    })
  }
})

test(
  'The Python client installs into an empty environment, and runs its README as one program',
  { timeout: 900_000 },
  async ({ skip }) => {
    if (process.env['FRONTDESK_TEST_PYTHON'] === undefined) {
      process.stderr.write(
        'The Python client was not tested: set FRONTDESK_TEST_PYTHON to a Python of 3.11 or newer.\n',
      )
      return skip('FRONTDESK_TEST_PYTHON is not set')
    }
    const python = await pythonWithClient(process.env['FRONTDESK_TEST_PYTHON'])
    const cwd = dirname(python)
    await expect(verdictsOf(python)).resolves.toEqual(webhookCases().map(({ verdict }) => verdict))
    await expectRetriesOf(python)

    const readme = await readFile(join(packageFolder, 'python/README.md'), 'utf8')
    const examples = [...readme.matchAll(/^```python\n([^]*?)^```/gm)].map(([, code = '']) => code)
    await writeFile(join(cwd, 'readme.py'), examples.join('\n'))
    await playProgram({
      command: [python, 'readme.py'],
      cwd,
      says: ['1500 go back', 'payment INV-1001 of 4500', 'an event has arrived: subscription.test'],
      async finally(receiver) {
        const { status } = await fetch(receiver, { method: 'POST', body: '{}', headers: { 'webhook-id': 'forged' } })
        expect(status).toBe(400)
      },
    })
  },
)

/** Builds the wheel, and installs it as a customer would. Returns the Python that has it. */
async function pythonWithClient(python: string): Promise<string> {
  const wheels = join(project.path, 'wheels')
  await packPythonClient(python, wheels)
  const [wheel = ''] = await readdir(wheels)
  const environment = join(project.path, 'python')
  await run(python, ['-m', 'venv', environment])
  const own = join(environment, 'bin/python')
  await run(own, ['-m', 'pip', 'install', '--quiet', `${join(wheels, wheel)}[asymmetric]`])
  return own
}

/** Webhooks, right and wrong, at a time, and what verify_webhook says to each. */
function webhookCases() {
  const now = 1_767_225_600
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const body = JSON.stringify({ type: 'payment.succeeded' })
  const signedAt = (at: number) => ({
    'Webhook-Id': 'e1',
    'Webhook-Timestamp': String(at),
    'Webhook-Signature': `v1,AAAA ${new Webhook(secret).sign('e1', new Date(at * 1000), body)}`,
  })
  const headers = signedAt(now)
  const document = readFileSync(join(root, 'docs/webhooks.md'), 'utf8')
  const [, known = ''] = /```json known-answer\n(.*)\n```/.exec(document) ?? []
  const [, publicKey = '', signature = ''] = /\| `(whpk_\S+)` \| `(v1a,\S+)` \|/.exec(document) ?? []
  const asymmetric = {
    secret: publicKey,
    headers: {
      'webhook-id': '0199a7f0-0000-7000-8000-000000000001',
      'webhook-timestamp': String(now),
      'webhook-signature': signature,
    },
  }
  return [
    { now, secret, body, headers, verdict: 'e1' },
    { now: now + 299, secret, body, headers, verdict: 'e1' },
    { now: now + 301, secret, body, headers, verdict: 'the timestamp is too far off' },
    { now: now - 301, secret, body, headers, verdict: 'the timestamp is too far off' },
    { now, secret, body: `${body} `, headers, verdict: 'no signature matches' },
    { now, secret, body, headers: {}, verdict: 'a header of the signature is missing' },
    { now, ...asymmetric, body: known, verdict: asymmetric.headers['webhook-id'] },
    { now, ...asymmetric, body: `${known} `, verdict: 'no signature matches' },
    { now, ...asymmetric, headers, body, verdict: 'no signature matches' },
  ]
}

async function verdictsOf(python: string): Promise<unknown> {
  const program = `
import json, sys
from frontdesk_client import webhooks

def verdict(case):
    webhooks.time.time = lambda: case["now"]
    try:
        return webhooks.verify_webhook(case["body"].encode(), case["headers"], case["secret"]).id
    except webhooks.WebhookVerificationError as error:
        return str(error)

print(json.dumps([verdict(case) for case in json.loads(sys.argv[1])]))
`
  const { stdout } = await run(python, ['-c', program, JSON.stringify(webhookCases())])
  return JSON.parse(stdout)
}

/** Compiles the README's examples as one program, because later examples use the variables of earlier ones. */
async function compileReadme(): Promise<void> {
  const readme = await readFile(installed('README.md'), 'utf8')
  const examples = [...readme.matchAll(/^```ts\n([^]*?)^```/gm)].map(([, code = '']) => code)
  expect(examples.length).toBeGreaterThan(10)
  await writeFile(join(project.path, 'readme.ts'), examples.join('\n'))
  const types = join(project.path, 'node_modules/@types/node')
  await mkdir(dirname(types), { recursive: true })
  await symlink(await realpath(join(root, 'node_modules/@types/node')), types)
  const compilerOptions = { module: 'nodenext', target: 'ES2022', strict: true, types: ['node'], outDir: 'built' }
  const config = join(project.path, 'tsconfig.json')
  await writeFile(config, JSON.stringify({ compilerOptions, files: ['readme.ts'] }))
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', config]).catch((failed: { stdout: string }) => {
    throw new Error(failed.stdout)
  })
}

/** The Node that runs the tests, and the oldest one that the package promises to run on, if this machine has it. */
async function everyNode(): Promise<string[]> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const node = join(folder, 'node')
    if (existsSync(node) && (await run(node, ['--version'])).stdout.startsWith('v20.')) return [process.execPath, node]
  }
  process.stderr.write('The client was not run on Node 20, because PATH has none.\n')
  return [process.execPath]
}

interface PlayedProgram {
  command: [string, ...string[]]
  cwd: string
  /** Its lines after its payment is completed, in order. */
  says: string[]
  /** Its last act. */
  finally?: (receiver: string) => Promise<void>
}

/** Runs the program of a README, and does what it expects of people: onboards, pays. */
async function playProgram({ command: [file, ...args], cwd, says, finally: last }: PlayedProgram): Promise<void> {
  const port = String(await freePort())
  const env = {
    PATH: process.env['PATH'],
    FRONTDESK_URL: system.baseUrl,
    FRONTDESK_CLIENT_ID: 'demo',
    FRONTDESK_CLIENT_SECRET: system.entry('demo').secret,
    WEBHOOK_URL: `http://127.0.0.1:${port}/`,
    PORT: port,
  }
  const child = spawn(file, args, { cwd, env })
  let told = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (told += text))
  }
  const hears = (text: string) => eventually(() => expect(told).toContain(text), { within: 30_000 })
  try {
    await hears('the practice completes its details at http')
    const { SiteSlug, externalAccountId } = await waitingAccount()
    await system.provider.control(`accounts/${externalAccountId}/complete`)
    await hears('the patient pays at http')
    const { Items } = await system.frontdesk.payments.list({ SiteSlug })
    await system.provider.atCheckout(Items[0]?.PaymentId ?? '', 'pay')
    for (const text of ['the payment is completed', ...says]) await hears(text)
    await last?.(env.WEBHOOK_URL)
  } finally {
    child.kill()
  }
}

/** Returns the account that waits for its onboarding. */
async function waitingAccount() {
  const { frontdesk } = system
  for await (const { SiteSlug } of frontdesk.sites.list()) {
    for (const { status, externalAccountId } of await frontdesk.accounts.list({ SiteSlug }))
      if (status !== 'Active') return { SiteSlug, externalAccountId }
  }
  throw new Error('no account waits for its onboarding')
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

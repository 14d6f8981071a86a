import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { serviceFolder, serviceNames, serviceVariable } from '@frontdesk/database/service-databases'
import { expect, test } from 'vitest'

const services = serviceNames().filter((name) => existsSync(join(serviceFolder(name), 'src/operate.ts')))
const environment = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }

interface Ended {
  code: number
  stdout: string
  stderr: string
}

function node(file: string, ...args: string[]): Promise<Ended> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [file, ...args], { env: environment }, (_, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

// On a busy machine four services take a while to load.
test(
  'every service has a program for its operator, which reads the configuration of the service',
  { timeout: 90_000 },
  async () => {
    const ended = await Promise.all(
      services.map((service) => node(join(serviceFolder(service), 'src/operate.ts'), 'encrypt', 'again')),
    )
    for (const [index, service] of services.entries()) {
      expect(ended[index]).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(`${serviceVariable(service, 'DATABASE_URL')} is missing`),
      })
    }
  },
)

test('npm run operate runs the program of the service, and names the services that have one', async () => {
  const script = resolve(import.meta.dirname, '../../../scripts/operate.ts')
  const [misspelt, help, unknown] = await Promise.all([
    node(script, 'paymints', 'outbox', 'replay'),
    node(script, 'registry', '--help'),
    node(script, 'registry', 'outbox', 'burn'),
  ])
  expect(misspelt).toMatchObject({ code: 2, stderr: expect.stringContaining(`Services: ${services.join(', ')}`) })
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('outbox replay --since TIME') })
  expect(unknown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('has no command') })
})

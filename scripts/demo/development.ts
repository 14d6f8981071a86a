import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, type FrontdeskClient } from '@frontdesk/client'
import { DemoFault } from './narrator.ts'

/** A running `npm start`: its gateway, through a client, and what a patient or a practice would do at the provider. */
export interface Development {
  gateway: string
  sandbox: string
  frontdesk: FrontdeskClient
  clientId: string
  atCheckout(paymentId: string, action: 'pay' | 'decline' | 'fail' | 'expire'): Promise<void>
  atOnboarding(externalAccountId: string, action: 'complete'): Promise<void>
}

/** Reads `.frontdesk/dev.json` of the running development system. Throws DemoFault where none runs. */
export function connectToDevelopment(env: Record<string, string | undefined>): Development {
  const file = join(env['FRONTDESK_HOME'] ?? '.frontdesk', 'dev.json')
  const { gateway, sandbox, clients } = readDevelopment(file)
  const demo = clients.find((client) => client.id === 'demo')
  if (demo === undefined) throw new DemoFault(`${file} has no client "demo"`)

  async function control(path: string): Promise<void> {
    const response = await fetch(`${sandbox}/_control/${path}`, { method: 'POST' })
    if (response.status !== 204)
      throw new DemoFault(`the sandbox answered ${response.status} to ${path}: ${await response.text()}`)
  }

  return {
    gateway,
    sandbox,
    clientId: demo.id,
    frontdesk: createClient({ baseUrl: gateway, credentials: { clientId: demo.id, clientSecret: demo.secret } }),
    atCheckout: (paymentId, action) => control(`checkouts/${paymentId}/${action}`),
    atOnboarding: (externalAccountId, action) => control(`accounts/${externalAccountId}/${action}`),
  }
}

interface DevelopmentFile {
  gateway: string
  sandbox: string
  clients: { id: string; secret: string }[]
}

function readDevelopment(file: string): DevelopmentFile {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DevelopmentFile
  } catch {
    throw new DemoFault(`Nothing runs here (there is no ${file}). Start it in another terminal with: npm start`)
  }
}

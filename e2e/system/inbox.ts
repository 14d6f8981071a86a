import { SystemFault } from './fault.ts'

/** A webhook that an inbox of the sandbox has kept. */
export interface InboxWebhook {
  number: number
  receivedAt: string
  webhookId?: string
  /** Of the CloudEvent in the body. */
  type?: string
  subject?: string
  /** `valid`, or why not; `unchecked` if the inbox knows no secret. */
  signature: string
  /** The status that it was answered with, and who chose it: `inbox` or the address of a listener. */
  answer: number
  answeredBy: string
  error?: string
}

/** A client's inbox at the sandbox: a receiver of webhooks to look at. */
export interface Inbox {
  /** The address that a subscription names, and the page that a person opens. */
  url: string
  /** Tells the secret or public key that signatures are checked with. */
  tell(secret: string): Promise<void>
  /** Returns what it has kept, newest first. */
  webhooks(search?: { type?: string; subject?: string; after?: number }): Promise<InboxWebhook[]>
  /** Forwards its webhooks to an address of this machine for the next six seconds. */
  forwardTo(url: string): Promise<void>
  stopForwarding(): Promise<void>
}

/** Opens the inbox of a client. Its calls throw SystemFault if the sandbox refuses them or does not answer. */
export function openInbox(sandbox: string | undefined, client: string): Inbox {
  const url = `${sandbox}/inbox/${encodeURIComponent(client)}`
  async function call(path: string, init?: RequestInit): Promise<Response> {
    if (sandbox === undefined) throw new SystemFault('This system has no sandbox provider, and so no inbox.')
    const reply = await fetch(url + path, { ...init, redirect: 'manual' }).catch((cause: unknown) => {
      throw new SystemFault(`The sandbox at ${sandbox} does not answer. Does npm start run?`, { cause })
    })
    if (reply.status >= 400) throw new SystemFault(`${url}${path} answered ${reply.status}: ${await reply.text()}`)
    return reply
  }
  const post = async (path: string, form: Record<string, string>) => {
    await call(path, { method: 'POST', body: new URLSearchParams(form) })
  }
  return {
    url,
    tell: (secret) => post('/secrets', { secret }),
    async webhooks({ type, subject, after } = {}) {
      const query = new URLSearchParams({
        ...(type !== undefined && { type }),
        ...(subject !== undefined && { subject }),
        ...(after !== undefined && { after: String(after) }),
      })
      const reply = await call(`/webhooks?${query}`)
      return ((await reply.json()) as { webhooks: InboxWebhook[] }).webhooks
    },
    forwardTo: (to) => post('/listener', { url: to }),
    async stopForwarding() {
      await call('/listener', { method: 'DELETE' })
    },
  }
}

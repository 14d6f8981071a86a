import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts, Setup } from '../accounts/commands.ts'
import { ImpossibleAccount } from '../accounts/domain.ts'
import { sendPage } from './layout.ts'
import { knownDetails, onboardingPage, readDetails, rejectedPage, unknownLinkPage } from './onboarding-page.ts'

/**
 * Serves onboarding as Stripe does. A link works once and for minutes; its first visit opens a setup at another address,
 * which can be reloaded. Any later visit is redirected to the platform's `refresh_url`, which creates a new link.
 */
export function onboardingPages(app: FastifyInstance, { accounts }: { accounts: Accounts }): void {
  app.get<{ Params: { token: string } }>('/o/:token', async (request, reply) => {
    const opened = await accounts.openLink(request.params.token)
    if (opened === undefined) return sendPage(reply, unknownLinkPage())
    return reply.redirect('setupToken' in opened ? `/o/setup/${opened.setupToken}` : opened.refreshUrl, 303)
  })

  app.get<{ Params: { token: string } }>('/o/setup/:token', (request, reply) =>
    during(request.params.token, reply, async (setup, path) => {
      if (setup.account.standing === 'rejected') return sendPage(reply, rejectedPage(setup))
      return sendPage(reply, onboardingPage(setup, path, knownDetails(setup)))
    }),
  )

  app.post<{ Params: { token: string } }>('/o/setup/:token', (request, reply) =>
    during(request.params.token, reply, (setup, path) => submit(request, reply, setup, path)),
  )

  async function during(
    token: string,
    reply: FastifyReply,
    then: (setup: Setup, path: string) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const setup = await accounts.findSetup(token)
    if (setup === undefined) return sendPage(reply, unknownLinkPage())
    return setup.alive ? then(setup, `/o/setup/${token}`) : reply.redirect(setup.refreshUrl, 303)
  }

  async function submit(
    request: FastifyRequest,
    reply: FastifyReply,
    setup: Setup,
    path: string,
  ): Promise<FastifyReply> {
    const fields = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
    const intent = fields.get('intent')
    // Anything else is `complete`: the Enter key in a text field sends the first button.
    const command = intent === 'restrict' || intent === 'reject' ? intent : 'complete'
    if (intent !== 'later') {
      const read = readDetails(fields)
      if (command === 'complete' && 'form' in read) {
        return sendPage(reply, { ...onboardingPage(setup, path, read.form), status: 422 })
      }
      const details = command === 'complete' && 'details' in read ? read.details : undefined
      if (!(await wasDone(() => accounts.act(setup.account.id, command, details)))) {
        return sendPage(reply, rejectedPage(setup))
      }
    }
    // As at Stripe, the address does not say how it went: the platform reads the account.
    return reply.redirect(setup.returnUrl, 303)
  }
}

/** Runs a change of an account. Returns false if the account can no longer change, as after a rejection. */
async function wasDone(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change()
    return true
  } catch (error) {
    if (error instanceof ImpossibleAccount) return false
    throw error
  }
}

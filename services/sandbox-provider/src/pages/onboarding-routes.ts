import { voiceOf, type Voice } from '@frontdesk/pages/language'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts, Setup } from '../accounts/commands.ts'
import { ImpossibleAccount } from '../accounts/domain.ts'
import { sendPage } from './layout.ts'
import { endedPage, knownDetails, onboardingPage, readDetails, unknownLinkPage } from './onboarding-page.ts'

/**
 * Serves onboarding as Stripe does. A link works once and for minutes; its first visit opens a setup at another address,
 * which can be reloaded. Any later visit is redirected to the platform's `refresh_url`, which creates a new link.
 */
export function onboardingPages(app: FastifyInstance, { accounts }: { accounts: Accounts }): void {
  app.get<{ Params: { token: string } }>('/o/:token', async (request, reply) => {
    const opened = await accounts.openLink(request.params.token)
    if (opened === undefined) return sendPage(reply, unknownLinkPage(voice(request)))
    return reply.redirect('setupToken' in opened ? `/o/setup/${opened.setupToken}` : opened.refreshUrl, 303)
  })

  app.get<{ Params: { token: string } }>('/o/setup/:token', (request, reply) =>
    during(request, reply, async (setup, path) => {
      const { standing } = setup.account
      // As at Stripe, a restricted account shows what is missing. The others have nothing left to ask for.
      const hasEnded = standing === 'active' || standing === 'rejected'
      const form = () => onboardingPage(setup, path, knownDetails(setup), voice(request, setup))
      return sendPage(reply, hasEnded ? endedPage(setup, voice(request, setup)) : form())
    }),
  )

  app.post<{ Params: { token: string } }>('/o/setup/:token', (request, reply) =>
    during(request, reply, (setup, path) => submit(request, reply, setup, path)),
  )

  async function during(
    request: FastifyRequest<{ Params: { token: string } }>,
    reply: FastifyReply,
    then: (setup: Setup, path: string) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const { token } = request.params
    const setup = await accounts.findSetup(token)
    if (setup === undefined) return sendPage(reply, unknownLinkPage(voice(request)))
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
        return sendPage(reply, { ...onboardingPage(setup, path, read.form, voice(request, setup)), status: 422 })
      }
      const details = command === 'complete' && 'details' in read ? read.details : undefined
      if (!(await wasDone(() => accounts.act(setup.account.id, command, details)))) {
        return sendPage(
          reply,
          endedPage({ ...setup, account: { ...setup.account, standing: 'rejected' } }, voice(request, setup)),
        )
      }
    }
    // As at Stripe, the address does not say how it went: the platform reads the account.
    return reply.redirect(setup.returnUrl, 303)
  }
}

function voice({ headers }: FastifyRequest, setup?: Setup): Voice {
  return voiceOf(headers['accept-language'], setup?.account.country)
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

import type { FastifyInstance } from 'fastify'
import { credentialSettings, type Credentials, type CredentialSettings } from './credentials.ts'

/** `POST /_control/credentials` replaces the keys and the webhook secrets, as a person does in Stripe's dashboard. */
export function credentialRoutes(app: FastifyInstance, { credentials }: { credentials: Credentials }): void {
  app.post<{ Body: CredentialSettings }>(
    '/_control/credentials',
    { schema: { body: credentialSettings } },
    async (request, reply) => {
      credentials.replace(request.body)
      return reply.code(204).send()
    },
  )
}

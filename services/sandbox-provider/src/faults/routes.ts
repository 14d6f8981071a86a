import type { FastifyInstance } from 'fastify'
import { type Faults, type FaultSettings, faultSettings } from './faults.ts'

/**
 * `POST /_control/faults` sets what goes wrong, all of it at once; `{}` ends it. `GET` shows what is in force, and below
 * `/met` how often each fault has hit.
 */
export function faultRoutes(app: FastifyInstance, { faults }: { faults: Faults }): void {
  app.get('/_control/faults', async () => faults.settings())
  app.get('/_control/faults/met', async () => faults.met())

  app.post<{ Body: FaultSettings }>('/_control/faults', { schema: { body: faultSettings } }, async (request, reply) => {
    await faults.set(request.body)
    return reply.code(204).send()
  })
}

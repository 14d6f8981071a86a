import type { FastifyInstance } from 'fastify'
import type { Faults } from './faults.ts'
import { type FaultSettings, faultSettings } from './settings.ts'

/**
 * `POST /_control/faults` replaces all fault settings; `{}` ends all faults. `GET /_control/faults` shows the settings in
 * force, `GET /_control/faults/met` how often each fault has occurred.
 */
export function faultRoutes(app: FastifyInstance, { faults }: { faults: Faults }): void {
  app.get('/_control/faults', async () => faults.settings())
  app.get('/_control/faults/met', async () => faults.met())

  app.post<{ Body: FaultSettings }>('/_control/faults', { schema: { body: faultSettings } }, async (request, reply) => {
    await faults.set(request.body)
    return reply.code(204).send()
  })
}

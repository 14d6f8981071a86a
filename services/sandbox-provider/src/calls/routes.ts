import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Calls } from './calls.ts'

const span = Type.Object({ seconds: Type.Integer({ minimum: 1, maximum: 600, default: 60 }) })

/** `GET /_control/calls?seconds=60` tells how often the API was called of late. */
export function callRoutes(app: FastifyInstance, { calls }: { calls: Calls }): void {
  app.get<{ Querystring: { seconds: number } }>('/_control/calls', { schema: { querystring: span } }, async (request) =>
    calls.of(request.query.seconds),
  )
}

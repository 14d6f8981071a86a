import { eventDataSchema, events, Visibility, type EventType } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import type { FastifyInstance } from 'fastify'
import { asyncApiDocument } from './asyncapi.ts'
import { dataSchema } from './event-schemas.ts'
import { openApiDocument } from './openapi.ts'
import { serveSite, type Site } from './site.ts'

/** Registers `/openapi.json`, `/asyncapi.json`, `/schemas/{type}/v1.json`, and the documentation site at `/docs/`. */
export function serveDocuments(app: FastifyInstance, publicUrl: string, site: Site): void {
  const openApi = JSON.stringify(openApiDocument(publicUrl))
  const asyncApi = JSON.stringify(asyncApiDocument(publicUrl))
  const cached = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=300' }
  app.get('/openapi.json', (_request, reply) => reply.headers(cached).send(openApi))
  app.get('/asyncapi.json', (_request, reply) => reply.headers(cached).send(asyncApi))
  serveSite(app, site)
  app.get<{ Params: { type: string; version: string } }>('/schemas/:type/:version', (request, reply) => {
    const { type, version } = request.params
    const event = Object.hasOwn(events, type) ? events[type as EventType] : undefined
    const number = Number(/^v([1-9]\d{0,3})\.json$/.exec(version)?.[1])
    if (event === undefined || event.visibility === Visibility.Private) throw problem('route_not_found')
    if (eventDataSchema(type as EventType, number) === undefined) throw problem('route_not_found')
    return reply
      .headers({ ...cached, 'content-type': 'application/schema+json; charset=utf-8' })
      .send(JSON.stringify(dataSchema(publicUrl, type as EventType, number)))
  })
}

import { deepStrictEqual as same } from 'node:assert/strict'
import { operations, type Operation, type OperationId } from '@frontdesk/contracts'
import type { ProblemCode } from '@frontdesk/problems'
import type { Case, CaseGroup } from '../case.ts'
import { operationIds } from '../cells.ts'
import { ensure, isProblem, isSuccess } from '../check.ts'
import { openSite, sharedSite } from '../practice.ts'
import { rawRequest, sendRaw } from '../raw-socket.ts'
import { bodyOf, isClosed, specimenOf } from '../specimens.ts'
import type { TestedSystem } from '../tested-system.ts'

const withClosedBody = operationIds.filter(isClosed)
const withBody = operationIds.filter((id) => (operations[id] as Operation).body !== undefined)

/** Returns a case that sends bodies unchanged to every operation with a body; each must be refused as expected. */
function refusedEverywhere(
  title: string,
  bodies: (id: OperationId) => readonly (string | Buffer)[],
  expected: { status: number; code?: ProblemCode },
  ids: readonly OperationId[] = withBody,
): Case {
  return {
    title,
    async run(system) {
      const { SiteSlug } = await sharedSite(system)
      for (const id of ids)
        for (const body of bodies(id)) {
          const answer = await system.call(id, { ...specimenOf(id, SiteSlug), body })
          isProblem(answer, expected)
        }
    },
  }
}

const nested = (depth: number, open: string, close: string, inside = '1') =>
  open.repeat(depth) + inside + close.repeat(depth)

/** Returns a valid body with text before its first member. */
const begun = (id: OperationId, member: string) => JSON.stringify(bodyOf(id)).replace('{', `{${member},`)

const bodies: readonly Case[] = [
  refusedEverywhere(
    'Deeply nested bodies are 400',
    (id) => [
      nested(50_000, '[', ']'),
      nested(20_000, '{"a":', '}'),
      nested(100_000, '[', ''),
      begun(id, `"Deep":${nested(10_000, '[', ']')}`),
    ],
    { status: 400 },
  ),
  refusedEverywhere(
    'Huge arrays, objects and strings below the size limit are 400',
    (id) => [
      JSON.stringify(Array.from({ length: 60_000 }, () => 1)),
      JSON.stringify({ ...bodyOf(id), Many: Array.from({ length: 30_000 }, () => ({})) }),
      `{${Array.from({ length: 20_000 }, (_, index) => `"m${index}":1`).join()}}`,
      JSON.stringify({ ...bodyOf(id), Long: 'x'.repeat(250_000) }),
      `{"N":1${'0'.repeat(200_000)}}`,
    ],
    { status: 400 },
    withClosedBody,
  ),
  refusedEverywhere(
    'Bytes that are not UTF-8 are 400',
    (id) => {
      const text = JSON.stringify(bodyOf(id))
      const spoiled = (bytes: number[]) =>
        Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.from(bytes), Buffer.from('"}')])
      return [
        spoiled([0xff]),
        spoiled([0xc3]),
        spoiled([0xed, 0xa0, 0x80]),
        spoiled([0xc0, 0x80]),
        Buffer.from(text, 'utf16le'),
      ]
    },
    { status: 400, code: 'malformed_json' },
  ),
  refusedEverywhere(
    'Members with the names of prototype properties are 400',
    (id) => [
      begun(id, '"__proto__":{"Name":"x"}'),
      begun(id, '"\\u005f_proto__":{"isAdmin":true}'),
      begun(id, '"constructor":{"prototype":{"isAdmin":true}}'),
      begun(id, '"prototype":{}'),
      begun(id, '"hasOwnProperty":1'),
      begun(id, '"toString":null'),
    ],
    { status: 400 },
    withClosedBody,
  ),
  refusedEverywhere(
    'Text that is almost JSON is 400',
    (id) => {
      const text = JSON.stringify(bodyOf(id))
      return [
        `${text},`,
        `${text}${text}`,
        `/*c*/${text}`,
        text.replaceAll('"', "'"),
        text.slice(0, -1),
        `\u0000${text}`,
        'undefined',
        `${text}\u0000`,
      ]
    },
    { status: 400, code: 'malformed_json' },
  ),
]

const strings: readonly Case[] = [
  {
    title: 'NUL and lone surrogates in any string are 400',
    async run(system) {
      const params = {
        SiteSlug: (await sharedSite(system)).SiteSlug,
        SiteIdentifier: (await sharedSite(system)).SiteSlug,
      }
      const spoilt = ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00x', '\\ud83e']
      for (const text of spoilt) {
        const requests: readonly (readonly [OperationId, string])[] = [
          ['createSite', `{"Name":"a${text}"}`],
          ['createSite', `{"Name":"a","Address":{"Locality":"${text}"}}`],
          ['createSite', `{"Name":"a","${text}":1}`],
          ['changeSite', `{"MapPlaceId":"${text}"}`],
          ['createPayment', begun('createPayment', `"Reference":"${text}"`)],
          ['createPayment', begun('createPayment', `"CustomerId":"${text}"`)],
          ['subscribe', begun('subscribe', `"Headers":[{"Name":"A","Value":"${text}"}]`)],
        ]
        for (const [id, body] of requests) isProblem(await system.call(id, { params, body }), { status: 400 })
      }
    },
  },
  {
    title: 'A duplicate member is 400, or one of its values is used everywhere',
    async run(system) {
      const twice = '{"Name":"first","Name":"second"}'
      const answer = await system.call('createSite', { body: twice })
      ensure([201, 400].includes(answer.status), answer, 'neither 201 nor 400')
      if (answer.status === 400) return isProblem(answer, { status: 400 })
      const { Identity } = isSuccess(answer, 'createSite', 201) as { Identity: { Name: string; SiteSlug: string } }
      const params = { SiteIdentifier: Identity.SiteSlug }
      const { Identity: again } = await system.success('deleteSite', { params })
      same(again, Identity)
    },
  },
  {
    title: 'Text that other parsers would interpret comes back as it was sent',
    async run(system) {
      const names = [
        `'; drop table sites; --`,
        '<script>alert(1)</script>',
        '{{7*7}} #{7*7} %s %n',
        '../../etc/passwd',
        'Ａ\u202eB\u200d ﷽ 𝒳',
        '=cmd|A1',
        '\\u0000 \\',
      ]
      for (const Name of names) {
        const site = await openSite(system, { body: { Name, Address: { Locality: Name } } })
        const { Items } = await system.success('listSites', { query: { Sites: site.SiteSlug } })
        const [item] = Items as { Name: string; Address: { Locality: string } }[]
        same([item?.Name, item?.Address.Locality], [Name, Name])
      }
    },
  },
]

const bearer = async (system: TestedSystem) => `Authorization: Bearer ${await system.token(system.main)}`
const json = 'Content-Type: application/json'

const onTheWire: readonly Case[] = [
  {
    title: 'A truncated body has no effect',
    async run(system) {
      const { OwningOrganisationSlug } = await openSite(system)
      const body = JSON.stringify({ Name: 'Cut short', OwningOrganisationSlug })
      const headers = [await bearer(system), json, `Content-Length: ${Buffer.byteLength(body) + 10}`]
      const request = rawRequest('POST /api/v1/management/sites HTTP/1.1', headers, body)
      for (const end of [true, false]) {
        const { answers } = await sendRaw(system.baseUrl, request, { end, within: 1_000 })
        for (const answer of answers)
          ensure([400, 408].includes(answer.status), answer, 'a truncated body was accepted')
      }
      const query = { OwningOrganisations: OwningOrganisationSlug }
      const { Items } = await system.success('listSites', { query })
      same((Items as unknown[]).length, 1)
    },
  },
  {
    title: 'A body over 256 KiB is 413, whether its length is declared, missing or wrong',
    async run(system) {
      const { SiteSlug } = await openSite(system)
      const most = 256 * 1024
      const padded = (size: number) => {
        const text = JSON.stringify({ Name: 'x' })
        return text.slice(0, -1) + ' '.repeat(size - text.length) + '}'
      }
      const params = { SiteIdentifier: SiteSlug }
      await system.success('changeSite', { params, body: padded(most) })
      isProblem(await system.call('changeSite', { params, body: padded(most + 1) }), {
        status: 413,
        code: 'body_too_large',
      })
      const line = `PATCH /api/v1/management/sites/${SiteSlug} HTTP/1.1`
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
      const chunked = rawRequest(
        line,
        [await bearer(system), json, 'Transfer-Encoding: chunked'],
        `${chunk.repeat(5)}0\r\n\r\n`,
      )
      const said = rawRequest(line, [await bearer(system), json, 'Content-Length: 999999999'], '{')
      for (const bytes of [chunked, said]) {
        const { answers } = await sendRaw(system.baseUrl, bytes)
        const [answer] = answers
        if (answer === undefined) throw new Error('it was closed without an answer')
        isProblem(answer, { status: 413, code: 'body_too_large' })
      }
    },
  },
  {
    title:
      'A JSON media type may have any case and parameters; a body without a type is 415; an empty body counts as none',
    async run(system) {
      const { SiteSlug } = await openSite(system)
      const params = { SiteIdentifier: SiteSlug, Key: 'Primary' }
      const body = { ApplicationVersion: '2' }
      for (const type of [
        'application/json',
        'Application/JSON',
        'application/json; charset=utf-8',
        'application/json;charset="UTF-8"',
        'application/merge-patch+json',
      ]) {
        await system.success('changeSite', { params, body, headers: { 'content-type': type } })
      }
      for (const type of [
        '',
        'json',
        'application/jsonx',
        'text/json',
        'application/octet-stream',
        'application/vnd.api+json',
      ]) {
        const answer = await system.call('changeSite', { params, body, headers: { 'content-type': type } })
        isProblem(answer, { status: 415, code: 'media_type_unsupported' })
      }
      // Each operation says which kinds of JSON it takes.
      for (const type of ['application/merge-patch+json', 'application/cloudevents+json']) {
        const answer = await system.call('createSite', { body: { Name: 'x' }, headers: { 'content-type': type } })
        isProblem(answer, { status: 415, code: 'media_type_unsupported' })
      }
      const empty = { params, body: '', headers: { 'content-type': 'application/json' } }
      await system.success('rotateSiteKey', empty)
      isProblem(await system.call('changeSite', empty), { status: 400 })
    },
  },
]

export const hostileBodies: CaseGroup = { title: 'hostile bodies', cases: [...bodies, ...strings, ...onTheWire] }

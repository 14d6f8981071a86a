import { createServer } from '@stoplight/prism-http-server'
import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { pino } from 'pino'
import { ensure, isObject } from './check.ts'
import { openExchanges, type Answer, type Exchanges, type Question } from './exchange.ts'
import { whyNotThroughPrism } from './prism-carries.ts'

/** A contradiction between document and exchange. */
export interface Violation {
  /** Where, as `response.body.Items.0.Name`. */
  at: string
  message: string
  answer: Answer
}

/** What `prism proxy` reports. */
export interface PrismReport {
  /** Exchanges with an operation of the document. */
  operations: number
  /** Exchanges with addresses that are not in the document. */
  others: number
  /** Exchanges that bypassed prism, by reason. */
  direct: ReadonlyMap<string, number>
  /** Invalid requests that were refused. */
  refused: number
  /** Invalid answers, and invalid requests that were accepted. */
  violations: readonly Violation[]
  /** False reports of prism, by reason (docs/decisions/015). */
  misjudged: ReadonlyMap<string, number>
}

/** Connections to a gateway through prism, which checks every exchange against the document. */
export interface PrismExchanges extends Exchanges {
  report(): PrismReport
}

/** A violation as prism reports it in the header `sl-violations`. */
interface Told {
  location: string[]
  message: string
}

/**
 * Starts `prism proxy` on loopback in front of the gateway at a base URL, with the document that the gateway serves.
 * A request that prism cannot forward unchanged goes to the gateway directly, and is counted with the reason.
 */
export async function openPrismExchanges(baseUrl: string): Promise<PrismExchanges> {
  const directly = openExchanges(baseUrl)
  const document = await directly.ask({ method: 'GET', path: '/openapi.json' })
  ensure(isObject(document.body), document, 'the gateway serves no document')
  const prism = createServer(await operationsOf(document), {
    cors: false,
    components: { logger: pino({ level: 'silent' }) },
    config: {
      isProxy: true,
      upstream: new URL(baseUrl),
      upstreamProxy: undefined,
      // Answers arrive unchanged; prism reports violations in a header.
      errors: false,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      mock: { dynamic: false },
    },
  })
  const through = openExchanges(await prism.listen(0, '127.0.0.1'))
  const direct = new Map<string, number>()
  const misjudged = new Map<string, number>()
  const violations: Violation[] = []
  const counts = { operations: 0, others: 0, refused: 0 }

  return {
    async ask(question) {
      const reason = whyNotThroughPrism(question)
      if (reason !== undefined) {
        count(direct, reason)
        return directly.ask(question)
      }
      const answer = await through.ask(question)
      if (answer.text.includes('stoplight.io/prism')) throw new Error(`prism failed: ${answer.text}`)
      const told = violationsTold(answer.headers)
      if (told.some(({ message }) => message === notInTheDocument)) {
        counts.others++
        return answer
      }
      counts.operations++
      const wrong = told.filter((one) => isWrong(one, answer.status))
      if (answer.status >= 400 && told.length > wrong.length) counts.refused++
      for (const { location, message } of wrong) {
        const own = misjudgement(message, question)
        if (own === undefined) violations.push({ at: location.join('.'), message, answer })
        else count(misjudged, own)
      }
      return answer
    },
    report: () => ({ ...counts, direct, violations, misjudged }),
    async [Symbol.asyncDispose]() {
      await through[Symbol.asyncDispose]()
      await directly[Symbol.asyncDispose]()
      await prism.close()
    },
  }
}

const read = new Map<string, ReturnType<typeof getHttpOperationsFromSpec>>()

/** The operations of a document. Prism takes half a second to read one, and tests open a proxy for each exchange. */
function operationsOf({ text, body }: Answer): ReturnType<typeof getHttpOperationsFromSpec> {
  const known = read.get(text) ?? getHttpOperationsFromSpec(body as object)
  read.set(text, known)
  return known
}

const notInTheDocument = 'Selected route not found'

/** An answer must always be valid, and so must a request that was accepted. */
function isWrong({ location: [side] }: Told, status: number): boolean {
  return side === 'response' || status < 300
}

/** Returns why prism's report about a request is wrong; undefined if it is right. */
function misjudgement(message: string, { headers = {} }: Question): string | undefined {
  if (message === 'Invalid security scheme used' && /^bearer /.test(String(headers['authorization'])))
    return 'prism accepts the scheme of Authorization in one case only'
  if (message === 'Request body must be object' && /-batch\+json/.test(String(headers['content-type'])))
    return 'prism treats every type that ends with +json as the same'
  return undefined
}

function count(by: Map<string, number>, reason: string): void {
  by.set(reason, (by.get(reason) ?? 0) + 1)
}

function violationsTold(headers: Answer['headers']): Told[] {
  const told = headers['sl-violations']
  if (told === undefined) return []
  // Prism cuts a long list, which begins with the violations of the request.
  if (!told.startsWith('[')) return [{ location: ['request'], message: told.slice(0, 200) }]
  return JSON.parse(told) as Told[]
}

/** The body of a refusal: RFC 9457 problem details with Frontdesk's `code`, `traceId` and `errors`. */
export interface ProblemBody {
  type: string
  title: string
  status: number
  code: string
  detail?: string
  traceId?: string
  errors?: { pointer: string; detail: string }[]
  [extension: string]: unknown
}

/** Thrown for every answer that is not a success. `code` is stable: switch on it, not on texts. */
export class FrontdeskProblem extends Error {
  readonly status: number
  readonly code: string
  readonly problem: ProblemBody | undefined

  constructor(status: number, problem: ProblemBody | undefined) {
    super(problem === undefined ? `HTTP ${status}` : describe(problem))
    this.name = 'FrontdeskProblem'
    this.status = status
    this.code = problem?.code ?? 'unknown'
    this.problem = problem
  }

  /** Reads a response; a body that is not a problem (a proxy's page, say) is left out. */
  static from(status: number, text: string): FrontdeskProblem {
    try {
      const body: unknown = JSON.parse(text)
      return new FrontdeskProblem(status, isProblemBody(body) ? body : undefined)
    } catch {
      return new FrontdeskProblem(status, undefined)
    }
  }
}

function describe({ status, code, title, detail, errors }: ProblemBody): string {
  const faults = (errors ?? []).map((fault) => `${fault.pointer} ${fault.detail}`).join('; ')
  return `${status} ${code}: ${detail ?? title}${faults === '' ? '' : ` (${faults})`}`
}

/** Whether a parsed body is one of Frontdesk's problems. */
export function isProblemBody(value: unknown): value is ProblemBody {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    'status' in value
  )
}

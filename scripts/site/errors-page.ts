import { catalogue, explanations, problemType, type ProblemCode } from '@frontdesk/problems'
import { code, jsonBlock, plain, prose } from './markdown.ts'

const categories: Record<string, string> = {
  '400': 'Malformed Request',
  '401': 'Unauthorized',
  '403': 'Forbidden',
  '404': 'Not Found',
  '422': 'Unprocessable',
  '429': 'Too many requests',
  '4XX': 'User Error',
  '5XX': 'Server Error',
}

const codes = Object.keys(catalogue) as ProblemCode[]

function categoryOf(status: number): string {
  return categories[String(status)] ?? categories[`${String(status)[0]}XX`] ?? ''
}

/** Returns the page of all problems: what each code means, why it comes, and what helps. */
export function errorsPage(): string {
  const sections = Object.entries(categories).map(([status, category]) => {
    const own = codes.filter((name) => categoryOf(catalogue[name].status) === category)
    return [`## ${status}: ${category} {#status-${status.toLowerCase()}}`, ...own.map(describeProblem)].join('\n\n')
  })
  return `# Errors

Every error is a problem document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) with the content type ${code('application/problem+json')}:

${jsonBlock({
  type: problemType('malformed_request'),
  title: catalogue.malformed_request.title,
  status: 400,
  detail: 'The request has 1 fault.',
  instance: '/api/v1/management/sites',
  code: 'malformed_request',
  traceId: '0af7651916cd43dd8448eb211c80319c',
  errors: [{ pointer: '/Name', detail: 'is missing' }],
})}

Decide by ${code('code')}, which is stable. ${code('title')} and ${code('detail')} are for people and may be reworded. ${code('type')} is the address of the code's section on this
page, relative to the address that you called. ${code('errors')} points to the members at fault by JSON pointer. If you ask for help, give
${code('traceId')}: it finds your request in our records.

Accept codes that you do not know, and treat them like others of their status. **4xx**: change the request; the same one fails again, except for
409 and 429. **5xx**, 409 and 429: send the same request again after ${code('Retry-After')}, with the same ${code('Idempotency-Key')}.

${sections.join('\n\n')}
`
}

function describeProblem(name: ProblemCode): string {
  const { cause, remedy } = explanations[name]
  const { status, title } = catalogue[name]
  return [
    `### ${plain(name)} {#${name}}`,
    `**${status}** ${plain(title)}.`,
    `**Cause.** ${prose(cause)}`,
    `**Remedy.** ${prose(remedy)}`,
  ].join('\n\n')
}

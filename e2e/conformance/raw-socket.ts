import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { parsed, type Answer } from './exchange.ts'

/** The whole responses on a connection; none if it was closed without an answer. */
export interface RawReply {
  answers: Answer[]
  /** Whether the other side ended the connection. */
  closed: boolean
}

export interface RawOptions {
  /** Whether to end our side of the connection after the last byte. */
  end?: boolean
  /** Milliseconds to wait for responses; default 3 s. */
  within?: number
}

/** Sends bytes that HTTP clients would refuse to send, and reads the responses. */
export function sendRaw(baseUrl: string, bytes: string | Buffer, options: RawOptions = {}): Promise<RawReply> {
  const { end = false, within = 3_000 } = options
  const { protocol, hostname: host, port } = new URL(baseUrl)
  const isTls = protocol === 'https:'
  const to = { host, port: Number(port === '' ? (isTls ? 443 : 80) : port) }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = isTls ? connectTls({ ...to, servername: host }) : connect(to)
    const done = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ answers: answersIn(Buffer.concat(chunks).toString('latin1')), closed })
    }
    let timer = setTimeout(() => done(false), within)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      // Waits a little for the rest of the response.
      clearTimeout(timer)
      timer = setTimeout(() => done(false), 250)
    })
    socket.on('close', () => done(true))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(error)
    })
    socket.write(bytes)
    if (end) socket.end()
  })
}

/** Returns a request as text: the line, `Host`, the given headers, and the body. */
export function rawRequest(line: string, headers: readonly string[], body = ''): string {
  return [line, 'Host: gateway.example', ...headers, '', body].join('\r\n')
}

function answersIn(text: string): Answer[] {
  const answers: Answer[] = []
  for (let rest = text; rest.startsWith('HTTP/1.1 ');) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd === -1) break
    const [line = '', ...fields] = rest.slice(0, headEnd).split('\r\n')
    const headers = Object.fromEntries(
      fields.map((field) => {
        const colon = field.indexOf(':')
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
      }),
    )
    const length = Number(headers['content-length'] ?? 0)
    const body = Buffer.from(rest.slice(headEnd + 4, headEnd + 4 + length), 'latin1').toString('utf8')
    const question = { method: '(raw)', path: '' }
    answers.push({ question, status: Number(line.slice(9, 12)), headers, text: body, body: parsed(body) })
    rest = rest.slice(headEnd + 4 + length)
  }
  return answers
}

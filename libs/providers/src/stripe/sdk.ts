import Stripe from 'stripe'
import type { AttemptOptions, Call, CallOptions } from '../calls.ts'
import { stringHeaders, TransportFailure, type Http } from '../http.ts'

type HttpClient = NonNullable<NonNullable<ConstructorParameters<typeof Stripe>[1]>['httpClient']>

/** Makes one call by the SDK, as Call does. */
export type SdkCall = <T>(
  operation: string,
  options: CallOptions,
  attempt: SdkAttempt<T>,
  lookUp?: SdkAttempt<T | undefined>,
) => Promise<T>

type SdkAttempt<T> = (options: Stripe.RequestOptions) => Promise<T>

/** Opens the SDK, which pins the API version; `SdkCall` owns attempts and time-outs. */
export function openSdk(secretKey: string, baseUrl: string | undefined, http: Pick<Http, 'exchange'>): Stripe {
  return new Stripe(secretKey, {
    ...address(baseUrl),
    httpClient: httpClient(http),
    telemetry: false,
    maxNetworkRetries: 0,
  })
}

/** Returns the Call that gives each attempt its options in the words of the SDK. */
export function sdkCall(call: Call): SdkCall {
  return (operation, options, attempt, lookUp) =>
    call(
      operation,
      options,
      (chosen) => withoutStack(() => attempt(requestOptions(chosen))),
      lookUp && ((chosen) => withoutStack(() => lookUp(requestOptions(chosen)))),
    )
}

/**
 * Begins a call of the SDK, which writes down the stack of its caller for an error that might come. That is a fiftieth of the
 * service's work for a new payment, and each of our errors names its operation. The limit is that of the whole process: it is back
 * before anything else runs, and before the request is sent. An error that is thrown meanwhile gets its stack here.
 */
function withoutStack<T>(begin: () => Promise<T>): Promise<T> {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return begin()
  } catch (error) {
    Error.stackTraceLimit = stackTraceLimit
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function requestOptions({ account, idempotencyKey, timeoutMs }: AttemptOptions): Stripe.RequestOptions {
  return {
    timeout: timeoutMs,
    maxNetworkRetries: 0,
    ...(account === undefined ? {} : { stripeAccount: account }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  }
}

function address(baseUrl: string | undefined): { host?: string; port?: string; protocol?: 'http' | 'https' } {
  if (baseUrl === undefined) return {}
  const { hostname, port, protocol } = new URL(baseUrl)
  const plain = protocol === 'http:'
  return { host: hostname, port: port || (plain ? '80' : '443'), protocol: plain ? 'http' : 'https' }
}

/**
 * Returns an HTTP client for the SDK that sends by `http`. It replaces the SDK's own client, because that one only times out
 * on silence (an answer that drips in never ends), repeats requests on closed connections by itself, and cannot tell a
 * refused connection from one lost after the request had left.
 */
function httpClient(http: Pick<Http, 'exchange'>): HttpClient {
  return {
    getClientName: () => 'frontdesk',
    async makeRequest(host, port, path, method, headers, requestData, protocol, timeoutMs) {
      const answer = await http.exchange(`${protocol}://${host}:${port}${path}`, {
        method,
        headers: stringHeaders(headers),
        body: requestData === '' ? null : requestData,
        timeoutMs,
      })
      // The SDK takes any answer without this member for a success.
      if (answer.status >= 300 && !('error' in answer.body)) {
        throw new TransportFailure(`the answer with status ${answer.status} is not of the provider`, true, answer)
      }
      return {
        getStatusCode: () => answer.status,
        getHeaders: () => answer.headers,
        getRawResponse: () => ({}),
        toStream: () => {
          throw new TypeError('streaming is not supported')
        },
        toJSON: async () => answer.body,
      }
    },
  }
}

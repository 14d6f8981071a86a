import { fork } from 'node:child_process'
import { resolve } from 'node:path'
import process from 'node:process'

type Method = (...args: never[]) => unknown

/** Methods that run in another process. */
export type Remote<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Awaited<Answer>>
    : never
}

/** A process of the bench. */
export interface RemoteProcess<Methods> extends AsyncDisposable {
  pid: number
  call: Remote<Methods>
}

interface Call {
  id: number
  name: string
  args: never[]
}

type Answer = { id: number; value: unknown } | { id: number; fault: string }

/** Answers calls from the parent process until it disconnects. */
export function serveRemote(methods: Record<string, Method>): void {
  process.on('message', (message) => void answer(message as Call))
  process.on('disconnect', () => process.exit(0))
  // Ctrl-C reaches every process of a terminal, but the bench ends its processes itself.
  process.on('SIGINT', () => {})

  async function answer({ id, name, args }: Call): Promise<void> {
    try {
      const value: unknown = await methods[name]?.(...args)
      process.send?.({ id, value } satisfies Answer)
    } catch (error) {
      process.send?.({ id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  }
}

/**
 * Starts a file of `bench/processes` as a separate process and returns its methods.
 *
 * @param file its name, such as `receiver.ts`
 */
export function openRemote<Methods>(file: string): RemoteProcess<Methods> {
  const child = fork(resolve(import.meta.dirname, '../processes', file), { serialization: 'advanced' })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let calls = 0
  child.on('message', (message) => {
    const answer = message as Answer
    const call = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('fault' in answer) call?.reject(new Error(`${file}: ${answer.fault}`))
    else call?.resolve(answer.value)
  })
  const exited = new Promise<void>((done) =>
    child.once('exit', (code) => {
      for (const call of waiting.values()) call.reject(new Error(`${file} ended with code ${code}`))
      done()
    }),
  )

  const call = (name: string, args: unknown[]): Promise<unknown> => {
    const pending = Promise.withResolvers<unknown>()
    const id = ++calls
    waiting.set(id, pending)
    child.send({ id, name, args }, (error) => error !== null && pending.reject(error))
    return pending.promise
  }
  const methods = new Proxy({} as Remote<Methods>, {
    get: (_, name) =>
      typeof name === 'string' && name !== 'then' ? (...args: unknown[]) => call(name, args) : undefined,
  })
  return {
    pid: child.pid ?? 0,
    call: methods,
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}

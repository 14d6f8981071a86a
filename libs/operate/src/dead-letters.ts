import type { Pool } from '@frontdesk/database'
import {
  findDeadLetter,
  listDeadLetters,
  markReplayed,
  openDeadLetterIds,
  type ConsumerHandler,
  type StoredDeadLetter,
} from '@frontdesk/events'
import { UsageError, type Call, type Command } from './program.ts'

/** Handles the dead letters of a service, by the name of their consumer. */
export type LetterHandlers = Readonly<Record<string, (letter: StoredDeadLetter) => Promise<void>>>

/** Returns the handlers of a service's consumers as handlers of their dead letters. */
export function letterHandlers(handlers: readonly ConsumerHandler[]): LetterHandlers {
  return Object.fromEntries(
    handlers.map(({ consumer, handle }) => [
      consumer.name,
      ({ subject, payload, deliveries }) => handle({ subject, data: payload, info: { deliveryCount: deliveries } }),
    ]),
  )
}

const page = 500

/** The commands for messages that a consumer has set aside. */
export function deadLetterCommands<Deps extends { pool: Pool }>(
  handlersOf: (deps: Deps) => LetterHandlers,
): Command<Deps>[] {
  return [
    {
      name: 'dead-letters list',
      usage: '[--all]',
      does: 'Lists the messages that were set aside and not replayed; with --all the replayed ones too.',
      options: { all: 'boolean' },
      async run({ pool }, { say, flag }) {
        const letters = await listDeadLetters(pool, { replayed: flag('all'), limit: page })
        for (const letter of letters) say(lineOf(letter))
        const open = (await openDeadLetterIds(pool)).length
        say(`${open} to be replayed${letters.length === page ? `; only the oldest ${page} are shown` : ''}`)
        return true
      },
    },
    {
      name: 'dead-letters show',
      usage: 'ID',
      does: 'Shows one message whole: where it came from, why it was set aside, its bytes.',
      most: 1,
      async run({ pool }, { say, args: [id] }) {
        if (id === undefined) throw new UsageError('dead-letters show needs an ID.')
        for (const line of detailsOf(await letterOf(pool, id))) say(line)
        return true
      },
    },
    {
      name: 'dead-letters replay',
      usage: 'ID | --all',
      does: "Runs the consumer's own handler on one message or on all, in this process, and notes that it was replayed.",
      options: { all: 'boolean' },
      most: 1,
      async run(deps, call) {
        const [id] = call.args
        if ((id === undefined) !== call.flag('all')) throw new UsageError('dead-letters replay needs an ID or --all.')
        const ids = id === undefined ? await openDeadLetterIds(deps.pool) : [id]
        const handlers = handlersOf(deps)
        for (const each of ids) await replay(deps.pool, handlers, await letterOf(deps.pool, each), call)
        call.say(call.progress.summary() || 'nothing to replay')
        return call.progress.count('failed') === 0
      },
    },
  ]
}

async function replay(pool: Pool, handlers: LetterHandlers, letter: StoredDeadLetter, call: Call): Promise<void> {
  const { progress, say, dryRun } = call
  if (letter.replayedAt !== undefined) return progress.add({ 'replayed before': 1 })
  const handle = handlers[letter.consumer]
  if (handle === undefined) {
    say(`${letter.id} failed: the service has no consumer ${letter.consumer} any more`)
    return progress.add({ failed: 1 })
  }
  if (dryRun) return progress.add({ 'to be replayed': 1 })
  try {
    await handle(letter)
    await markReplayed(pool, letter.id)
    progress.add({ replayed: 1 })
  } catch (error) {
    // The row stays as it is: the next replay takes it again.
    say(`${letter.id} failed: ${error instanceof Error ? error.message : String(error)}`)
    progress.add({ failed: 1 })
  }
}

async function letterOf(pool: Pool, id: string): Promise<StoredDeadLetter> {
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
  const letter = isUuid ? await findDeadLetter(pool, id) : undefined
  if (letter === undefined) throw new UsageError(`There is no dead letter "${id}".`)
  return letter
}

function lineOf({ id, setAsideAt, consumer, subject, reason, replayedAt }: StoredDeadLetter): string {
  const state = replayedAt === undefined ? '' : ` (replayed ${replayedAt.toISOString()})`
  return `${id}  ${setAsideAt.toISOString()}  ${consumer}  ${subject}  ${reason}${state}`
}

function detailsOf(letter: StoredDeadLetter): string[] {
  return [
    `id           ${letter.id}`,
    `consumer     ${letter.consumer}`,
    `message      ${letter.messageId}, ${letter.stream} ${letter.streamSeq}, stored ${letter.storedAt.toISOString()}`,
    `subject      ${letter.subject}`,
    `set aside    ${letter.setAsideAt.toISOString()} after ${letter.deliveries} deliveries`,
    `reason       ${letter.reason}`,
    `replayed     ${letter.replayedAt?.toISOString() ?? 'no'}`,
    ...Object.entries(letter.headers).map(([name, value]) => `header       ${name}: ${value}`),
    Buffer.from(letter.payload).toString('utf8'),
  ]
}

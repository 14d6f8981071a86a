import type { Pool } from '@frontdesk/database'
import { replayOutbox, retrySetAsideEvents, setAsideEvents } from '@frontdesk/events'
import { UsageError, type Command } from './program.ts'

/** The commands for the outbox of a service. */
export function outboxCommands(): Command<{ pool: Pool }>[] {
  return [
    {
      name: 'outbox replay',
      usage: '--since TIME [--stream STREAM]',
      does: 'Has the events that were published since then published again, under the same ids.',
      options: { since: 'string', stream: 'string' },
      async run({ pool }, { dryRun, say, time, option }) {
        const since = time('since')
        if (since === undefined) throw new UsageError('outbox replay needs --since.')
        const stream = option('stream')
        const events = await replayOutbox(pool, { since, stream, dryRun })
        const where = stream === undefined ? '' : ` on ${stream}`
        say(`${events} events published${where} since ${since.toISOString()} are to be published again`)
        if (events > 0 && !dryRun) say("the running service's relay publishes them within 10 s; watch outbox_waiting")
        return true
      },
    },
    {
      name: 'outbox set-aside',
      usage: '',
      does: 'Lists the events that the relay could never publish and set aside.',
      async run({ pool }, { say }) {
        const events = await setAsideEvents(pool)
        for (const { id, subject, setAsideAt, reason } of events)
          say(`${id}  ${setAsideAt.toISOString()}  ${subject}  ${reason}`)
        say(`${events.length} set aside`)
        return events.length === 0
      },
    },
    {
      name: 'outbox retry',
      usage: '',
      does: 'Has the events that were set aside published, once their cause is gone.',
      async run({ pool }, { dryRun, say }) {
        const events = dryRun ? (await setAsideEvents(pool)).length : await retrySetAsideEvents(pool)
        say(`${events} events are to be published`)
        return true
      },
    },
  ]
}

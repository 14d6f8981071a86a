import type { Retention } from '@frontdesk/database'

/**
 * The retention of the tables that this library reads and writes. An inbox row must outlive the longest way on which an
 * event can come again: the age of every stream, and the seven days in which a published event can be replayed.
 */
export const eventRetentions = {
  outbox: {
    rule: '7 days after the event was published: the time in which it can be replayed',
    deletion: { table: 'outbox', column: 'published_at', after: '7 days' },
  },
  inbox: {
    rule: '30 days: longer than any stream or outbox can bring the event again',
    deletion: { table: 'inbox', column: 'received_at', after: '30 days' },
  },
  dead_letters: { rule: 'for ever, or until you delete one that you have dealt with', by: 'you' },
  outbox_streams: { rule: 'one row for each stream that the service publishes to', by: 'nobody' },
  consumer_positions: { rule: 'one row for each durable consumer', by: 'nobody' },
} as const satisfies Record<string, Retention>

import type { Queryable } from '@frontdesk/database'

/** How far a durable consumer has come: where it is made again if the server loses it. */
export interface ConsumerPosition {
  consumer: string
  stream: string
  /** Every message up to this sequence is acknowledged. */
  ackFloor: number
  /** Every message stored before this time is acknowledged. */
  resumeFrom: Date
}

export async function readPosition(db: Queryable, consumer: string): Promise<ConsumerPosition | undefined> {
  const { rows } = await db.query<{ stream: string; ack_floor: string; resume_from: Date }>(
    'select stream, ack_floor::text as ack_floor, resume_from from consumer_positions where consumer = $1',
    [consumer],
  )
  const [row] = rows
  return row && { consumer, stream: row.stream, ackFloor: Number(row.ack_floor), resumeFrom: row.resume_from }
}

export async function savePosition(db: Queryable, position: ConsumerPosition): Promise<void> {
  await db.query(
    `insert into consumer_positions (consumer, stream, ack_floor, resume_from) values ($1, $2, $3, $4)
     on conflict (consumer) do update
        set stream = excluded.stream, ack_floor = excluded.ack_floor, resume_from = excluded.resume_from,
            updated_at = now()`,
    [position.consumer, position.stream, position.ackFloor, position.resumeFrom],
  )
}

import { answerWithin } from '@frontdesk/database'

/**
 * Returns the result of `work`, or undefined if it fails or takes longer than so many milliseconds. Late work runs on; its
 * result and its error are ignored.
 */
export async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | undefined> {
  return await answerWithin(milliseconds, work, 'late').catch(() => undefined)
}

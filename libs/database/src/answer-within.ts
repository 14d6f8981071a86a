/**
 * Returns the result of `work`. Throws its error, or an Error with the text `late` after so many milliseconds. Late work runs on;
 * its result and its error are ignored.
 */
export async function answerWithin<Result>(milliseconds: number, work: Promise<Result>, late: string): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(late)), milliseconds)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

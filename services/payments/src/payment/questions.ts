/**
 * The questions to providers that are under way in this process, by payment. Whoever needs a question that another one has
 * asked already waits for its answer.
 */
export interface Questions {
  /**
   * Resolves when the newest question about a payment is answered, to the time at which it was asked, or to undefined if the
   * provider does not answer. It never rejects. Undefined if nobody asks.
   */
  underWay(recordId: string): Promise<Date | undefined> | undefined
  /** Runs a question, which returns when it was asked. Throws what it throws. */
  ask(recordId: string, question: () => Promise<Date>): Promise<void>
}

export function createQuestions(): Questions {
  const newest = new Map<string, Promise<Date | undefined>>()
  return {
    underWay: (recordId) => newest.get(recordId),
    async ask(recordId, question) {
      const asking = question()
      const answered = asking.catch(() => undefined)
      newest.set(recordId, answered)
      try {
        await asking
      } finally {
        if (newest.get(recordId) === answered) newest.delete(recordId)
      }
    },
  }
}

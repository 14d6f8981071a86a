/** Calls `work` for each item, at most `atATime` at once. */
export async function eachOf<Item>(
  items: Iterable<Item>,
  atATime: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value)
    }),
  )
}

/** Never nothing: without requests it could not be seen whether the load has gone. */
const least = 1 / 32

/**
 * The share of requests to let in until the next look at the event loop: halved at each look that finds it overloaded,
 * a tenth more at each that does not. Letting in nobody until the load has gone would let in everybody at once then.
 */
export function nextShare(share: number, isOverloaded: boolean): number {
  return isOverloaded ? Math.max(share / 2, least) : Math.min(share + 0.1, 1)
}

import { isTrusted, type EndpointKind } from '../endpoints/endpoint-queue.ts'

/** What endpoints take from the poller, minus what it has reserved. */
export interface Plan {
  /** How many more deliveries an endpoint takes. */
  room(endpointId: bigint): number
  reserve(endpointId: bigint, deliveries: number): void
  /** Whether deliveries of an endpoint may be sent soon: it is trusted, or there is room for one more of its kind. */
  isUseful(endpointId: bigint): boolean
}

/** Opens a plan: endpoints of a kind share what is free for the kind. */
export function createPlan(state: {
  kindOf: (endpointId: bigint) => EndpointKind
  room: (endpointId: bigint) => number
  free: (kind: EndpointKind) => number
}): Plan {
  const reserved = new Map<EndpointKind, number>()
  const room = (id: bigint) => {
    const kind = state.kindOf(id)
    return Math.max(0, Math.min(state.room(id), state.free(kind) - (reserved.get(kind) ?? 0)))
  }
  return {
    room,
    reserve(id, deliveries) {
      const kind = state.kindOf(id)
      reserved.set(kind, (reserved.get(kind) ?? 0) + deliveries)
    },
    isUseful: (id) => isTrusted(state.kindOf(id)) || room(id) > 0,
  }
}

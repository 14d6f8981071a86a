// Loaded into a service before its own code: its wall clock is CLOCK_OFFSET_MS ahead of the host's. Timers and the monotonic
// clock run on as they are, as on a host whose clock is wrong.
const offset = Number(process.env.CLOCK_OFFSET_MS)
const Host = Date

globalThis.Date = class Date extends Host {
  constructor(...parts) {
    if (parts.length === 0) super(Host.now() + offset)
    else super(...parts)
  }
  static now() {
    return Host.now() + offset
  }
}

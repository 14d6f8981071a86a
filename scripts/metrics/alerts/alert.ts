/** A rule that calls somebody, with what that person needs at three in the morning. */
export interface Alert {
  name: string
  /** `page`: now, at night too, because clients or money suffer. `ticket`: within a working day. */
  severity: 'page' | 'ticket'
  /** PromQL. `job` is the service. */
  expr: string
  /** For how long it must hold. */
  for: string
  /** One sentence: what is wrong. */
  meaning: string
  /** Where to look, with the command or the query. */
  see: string
  /** What to do, with the command. */
  act: string
  /** What makes its figures move on purpose: a chaos scenario, a test that breaks the part, or else what to do by hand. */
  drill: { scenario: string } | { test: string } | { byHand: string }
  /** Series that make it fire, by the notation of promtool, and the labels under which it then fires, 30 minutes in. */
  fires: { series: Readonly<Record<string, string>>; labels: Readonly<Record<string, string>> }
  /** Series under which it stays silent for as long. */
  silent: Readonly<Record<string, string>>
}

/** A figure that several rules use, computed once. */
export interface Recording {
  name: string
  expr: string
}

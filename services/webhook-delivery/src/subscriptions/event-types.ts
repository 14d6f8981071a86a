import { publicEventTypes, publicWildcards, reservedTypePrefixes } from '@frontdesk/contracts'
import { problem, type ProblemFault } from '@frontdesk/problems'

/** The facts about a subscriber that decide which names he may use. */
interface Subscriber {
  /** The registered source of a client that publishes events: their types need no dot. */
  eventSource?: string
}

/**
 * Throws `event_type_unknown` if a name is neither a public event of ours, nor a wildcard over them, nor an external type. A name
 * that nothing would ever match is refused here, since nobody would notice it later.
 */
export function checkEventTypes(types: readonly string[], by: Subscriber): void {
  const errors = types.flatMap((type, index): ProblemFault[] => {
    const detail = refusalOf(type, by)
    return detail === undefined ? [] : [{ pointer: `/EventTypes/${index}`, detail }]
  })
  if (errors.length === 0) return
  const ours = [...publicEventTypes, ...publicWildcards].join(', ')
  throw problem('event_type_unknown', { detail: `You can subscribe to ${ours}, and to external types.`, errors })
}

/** Returns why nobody can subscribe to a name; undefined if one can. */
function refusalOf(type: string, { eventSource }: Subscriber): string | undefined {
  if (publicWildcards.includes(type) || publicEventTypes.some((known) => known === type)) return undefined
  const meant = meantBy(type)
  if (meant !== undefined) return `${type} is not an event type of ours: did you mean ${meant}?`
  const isReserved = reservedTypePrefixes.some((prefix) => type.toLowerCase().startsWith(prefix))
  if (isReserved || type.includes('*')) return `${type} is not an event type that you can subscribe to`
  if (type.includes('.') || eventSource !== undefined) return undefined
  return `${type} is not an event type of ours, and external types have a dot, such as com.example.recall`
}

/** Whoever names one of these means our events, however the rest is spelt. */
const moneyEntities = ['payment', 'refund', 'dispute']

/** Returns the public name of ours that a name resembles: the same letters but for case, separators and plural, or the same beginning. */
function meantBy(type: string): string | undefined {
  const letters = lettersOf(type)
  const same = [...publicEventTypes, ...publicWildcards].find((name) => {
    const [entity = '', action = ''] = name.split('.', 2).map(lettersOf)
    return new RegExp(`^${entity}s?${action}s?$`).test(letters)
  })
  const entity = moneyEntities.find((name) => letters.startsWith(name))
  if (same !== undefined || entity === undefined) return same
  const byStem = publicEventTypes.find(
    (name) => name.startsWith(`${entity}.`) && letters.includes(name.slice(entity.length + 1, entity.length + 5)),
  )
  return byStem ?? `${entity}.*`
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '')

/** Markup whose inserted values were escaped. */
export interface Html {
  readonly markup: string
}

type Part = Html | Part[] | string | number | false | null | undefined

/**
 * Template tag for markup. Escapes inserted values for text and for quoted attributes, except for Html values. Joins lists;
 * false, null and undefined leave nothing.
 */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  let markup = strings[0] ?? ''
  for (const [index, part] of parts.entries()) markup += render(part) + (strings[index + 1] ?? '')
  return { markup }
}

function render(part: Part): string {
  if (part === false || part === null || part === undefined) return ''
  if (typeof part === 'number') return String(part)
  if (typeof part === 'string') return escapeText(part)
  if (Array.isArray(part)) return part.map(render).join('')
  return part.markup
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}

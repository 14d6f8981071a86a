/** Returns text for Markdown that VitePress reads: neither HTML nor a Vue expression can begin in it. */
export function plain(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
    .replaceAll('|', '\\|')
    .replaceAll(/([*_[\]])/g, '\\$1')
}

/** Returns text that may contain code in backticks, which stays as it is. */
export function prose(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith('`') ? code(part.slice(1, -1)) : plain(part)))
    .join('')
}

/** Returns inline code. VitePress sees to it that Vue finds no expression in it. */
export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

/** Returns a block of JSON. */
export function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}

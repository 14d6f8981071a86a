import { dirname, join, relative } from 'node:path/posix'

/**
 * Returns Markdown of the repository as it is on the site. Links between files become links between addresses; `addresses` has the
 * address of each file. A link to a file that is not on the site becomes its text, and nothing if it is alone in parentheses: readers of
 * the site have no checkout. Pages that are printed are no files, so texts link to them by address: `/docs/errors`.
 */
export function onSite(markdown: string, file: string, addresses: ReadonlyMap<string, string>): string {
  const fromRoot = (link: string): string => join(dirname(file), link)
  const isElsewhere = (link: string): boolean => !link.startsWith('/docs/') && !addresses.has(fromRoot(link))
  return markdown
    .replaceAll(/^<<< (\S+)$/gm, (_, link: string) => `<<< ./${relative('docs', fromRoot(link))}`)
    .replaceAll(/!\[([^\]]+)\]\(([^)\s]+)\)/g, (_, text: string, link: string) => {
      return `![${text}](/${relative('docs/guide', fromRoot(link))})`
    })
    .replaceAll(/ \(\[[^\]]+\]\((?!\w+:|#|\/)([^)\s#]+)(?:#[^)\s]*)?\)\.?\)/g, (whole, link: string) =>
      isElsewhere(link) ? '' : whole,
    )
    .replaceAll(
      /(?<!!)\[([^\]]+)\]\((?!\w+:|#)([^)\s#]+)(#[^)\s]*)?\)/g,
      (_, text: string, link: string, anchor?: string) => {
        if (isElsewhere(link)) return text
        const address = addresses.get(fromRoot(link)) ?? link.slice('/docs/'.length)
        return `[${text}](/${address}${anchor ?? ''})`
      },
    )
}

/** Returns one section of a Markdown file as a page of its own. Throws if there is no such section. */
export function sectionOf(markdown: string, title: string, section: string): string {
  const found = markdown.split(/^## /m).find((part) => part.startsWith(`${section}\n`))
  if (found === undefined) throw new Error(`There is no section "${section}".`)
  return `# ${title}\n${found.slice(section.length)}`
}

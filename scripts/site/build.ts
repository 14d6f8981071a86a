import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { onSite, sectionOf } from './links.ts'
import { siteSections, type SiteSection } from './pages.ts'

const root = resolve(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache/frontdesk')
/** Where the built site is. The gateway serves it at `/docs`. */
export const siteFolder = join(cache, 'site')

/** Builds the documentation site: puts its pages and their pictures into one folder, and lets VitePress make HTML of it. */
export async function buildSite(): Promise<void> {
  const source = join(cache, 'site-source')
  await rm(source, { recursive: true, force: true })
  const sections = siteSections(await readFile(join(root, 'docs/contracts/openapi.json'), 'utf8'))
  await writePages(source, sections)
  await cp(join(root, 'docs/receivers'), join(source, 'receivers'), { recursive: true })
  await cp(join(root, 'docs/examples'), join(source, 'examples'), { recursive: true })
  await cp(join(root, 'docs/guide/pictures'), join(source, 'public/pictures'), { recursive: true })
  await cp(join(import.meta.dirname, 'theme'), join(source, '.vitepress/theme'), { recursive: true })
  const sidebar = sections.map(({ title, pages }) => ({
    text: title,
    items: pages.map((page) => ({ text: page.title, link: page.address === 'index' ? '/' : `/${page.address}` })),
  }))
  await writeFile(join(source, '.vitepress/sidebar.json'), JSON.stringify(sidebar))
  await cp(join(import.meta.dirname, 'vitepress-config.mjs'), join(source, '.vitepress/config.mjs'))
  await cp(join(import.meta.dirname, 'repairs.mjs'), join(source, '.vitepress/repairs.mjs'))
  // Loaded here, so that whoever needs only the folder does not load a bundler.
  const { build } = await import('vitepress')
  await build(source, { outDir: siteFolder })
}

async function writePages(source: string, sections: SiteSection[]): Promise<void> {
  const pages = sections.flatMap((section) => section.pages)
  const addresses = new Map(
    pages.flatMap(({ address, source: from }) => ('file' in from ? [[from.file, address]] : [])),
  )
  for (const { address, title, source: from } of pages) {
    const file = join(source, `${address}.md`)
    const text = 'file' in from ? await readPage(from, title, addresses) : from.text
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

async function readPage(
  { file, section }: { file: string; section?: string },
  title: string,
  addresses: ReadonlyMap<string, string>,
): Promise<string> {
  const text = await readFile(join(root, file), 'utf8')
  return onSite(section === undefined ? text : sectionOf(text, title, section), file, addresses)
}

if (import.meta.main) await buildSite()

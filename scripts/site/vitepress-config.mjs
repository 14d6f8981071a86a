import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { themeRepairs } from './repairs.mjs'

const sidebar = JSON.parse(readFileSync(join(import.meta.dirname, 'sidebar.json'), 'utf8'))

/** VitePress' settings for the documentation site. The build copies this file beside the pages. */
export default defineConfig({
  title: 'Frontdesk',
  description: 'Practice sites, the payments they take, and signed webhooks for every outcome.',
  lang: 'en-GB',
  base: '/docs/',
  cleanUrls: true,
  metaChunk: true,
  // An address of the reader's own machine, such as the one of `npm start`, is no link.
  ignoreDeadLinks: false,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  vite: { plugins: [themeRepairs()] },
  themeConfig: {
    sidebar,
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    docFooter: { prev: 'Before', next: 'Next' },
    notFound: {
      title: 'There is no such page',
      quote: 'Its address may have changed. The search finds it by its words.',
      linkText: 'To the first page',
      linkLabel: 'To the first page',
    },
  },
  // The gateway's policy allows no inline script: each becomes a file.
  transformHtml(html, _id, { siteConfig }) {
    return html.replaceAll(/<script((?:(?!\ssrc=)[^>])*)>([^]*?)<\/script>/g, (whole, attributes, text) => {
      if (text.trim() === '') return whole
      const name = `inline.${createHash('sha256').update(text).digest('hex').slice(0, 8)}.js`
      mkdirSync(join(siteConfig.outDir, 'assets'), { recursive: true })
      writeFileSync(join(siteConfig.outDir, 'assets', name), text)
      return `<script${attributes} src="/docs/assets/${name}"></script>`
    })
  },
})

import { errorsPage } from './errors-page.ts'
import { eventsPage } from './events-page.ts'
import { referencePages } from './reference-pages.ts'
import { systemsPage } from './systems-page.ts'

/** A page of the documentation site. */
export interface SitePage {
  /** The address below `/docs/`, without a file extension. */
  address: string
  title: string
  /** A Markdown file, from the root of the repository, or one section of it; or the Markdown itself, printed from a table. */
  source: { file: string; section?: string } | { text: string }
}

export interface SiteSection {
  title: string
  pages: SitePage[]
}

/** Returns the pages of the site in their order. The API reference is printed from `openApi`, the document as text. */
export function siteSections(openApi: string): SiteSection[] {
  const written = (address: string, title: string, file: string): SitePage => ({ address, title, source: { file } })
  const printed = (address: string, title: string, text: string): SitePage => ({ address, title, source: { text } })
  return [
    {
      title: 'Begin',
      pages: [
        written('index', 'What Frontdesk does', 'docs/guide/index.md'),
        written('quick-start', 'Quick start', 'docs/guide/quick-start.md'),
        written('going-to-production', 'Going to production', 'docs/guide/going-to-production.md'),
      ],
    },
    {
      title: 'Guides',
      pages: [
        written('accounts', 'Accounts and onboarding', 'docs/guide/accounts.md'),
        written('payments', 'Payments', 'docs/guide/payments.md'),
        written('refunds', 'Refunds and disputes', 'docs/refunds.md'),
        written('webhooks', 'Webhooks', 'docs/webhooks.md'),
        written('receivers', 'Receivers in five languages', 'docs/guide/receivers.md'),
        written('internal-events', 'Events for other teams', 'docs/guide/internal-events.md'),
      ],
    },
    {
      title: 'API reference',
      pages: referencePages(openApi).map((page) => printed(page.address, page.title, page.text)),
    },
    {
      title: 'Look up',
      pages: [
        printed('events', 'Events', eventsPage()),
        printed('errors', 'Errors', errorsPage()),
        written('rate-limits', 'Rate limits', 'docs/guide/rate-limits.md'),
        written('versioning', 'Versioning', 'docs/guide/versioning.md'),
        printed('practice-management-systems', 'Practice management systems', systemsPage()),
        { address: 'glossary', title: 'Glossary', source: { file: 'docs/glossary.md', section: 'The domain' } },
        written('changelog', 'Changelog', 'docs/guide/changelog.md'),
      ],
    },
  ]
}

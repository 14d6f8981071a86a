import { createHash } from 'node:crypto'

/** A page for a person in a browser. */
export interface Page {
  title: string
  /** Paragraphs of plain text. */
  text: readonly string[]
}

const style = `
:root{color-scheme:light dark;--page:#f4f6f8;--card:#fff;--text:#1b2733;--quiet:#44525f;--line:#d5dde4}
@media (prefers-color-scheme:dark){:root{--page:#10161c;--card:#19222b;--text:#eef3f7;--quiet:#b9c6d2;--line:#2d3a46}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.25rem;background:var(--page);color:var(--text);font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:30rem;padding:2.25rem 1.75rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.3}
p{margin:0 0 .75rem;color:var(--quiet)}
p:last-child{margin-bottom:0}
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** The headers of a page. It loads nothing, cannot be framed, is not cached and sends no referrer. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
}

/** Returns the HTML of a page, which works on a phone, with a screen reader and without JavaScript. */
export function renderPage({ title, text }: Page): string {
  const paragraphs = text.map((paragraph) => `<p>${escaped(paragraph)}</p>`).join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${paragraphs}
</main>
</body>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

export const pages = {
  onboardingDone: {
    title: 'Thank you',
    text: [
      'The payment provider has your details. It may take a while to check them. Your practice software shows when you can take payments.',
      'You can close this page.',
    ],
  },
  checkoutDone: {
    title: 'Thank you',
    text: ['Your payment is on its way to the practice, which will confirm it to you.', 'You can close this page.'],
  },
  linkInvalid: {
    title: 'This link no longer works',
    text: [
      'Onboarding links work for seven days or until the account is closed. This one has expired, or a part of it is missing.',
      'Please ask the person who sent it for a new one. What you entered before is not lost.',
    ],
  },
  tryAgain: {
    title: 'We cannot take you there right now',
    text: [
      'The payment provider cannot be reached at the moment.',
      'Please open the same link again in a few minutes.',
    ],
  },
  tooOften: {
    title: 'This link was opened too often',
    text: ['Each visit makes a new page at the payment provider.', 'Please open the same link again in a minute.'],
  },
} as const satisfies Record<string, Page>

import { html, type Html } from '@frontdesk/pages/html'
import type { Voice } from '@frontdesk/pages/language'
import { type Page, shell } from '../pages/layout.ts'
import { type Attempts, eventOf, groupAttempts, secretPattern, type SignatureCheck } from './domain.ts'
import type { CheckedWebhook } from './inboxes.ts'
import type { InboxSummary } from './store.ts'

export interface InboxPageInput {
  inbox: string
  /** The address that a subscription names. */
  address: string
  /** Newest first. */
  webhooks: readonly CheckedWebhook[]
  /** How many secrets the inbox was told. */
  secrets: number
  /** The address that webhooks are forwarded to. */
  listener: string | undefined
  /** How many of the next webhooks it refuses. */
  refusals: number
}

/** Inboxes are for the people who write receivers. */
const developers: Voice = { language: 'en', locale: 'en-GB', country: undefined }

/** Returns the page with a list of the inboxes that have received something. */
export function inboxesPage(inboxes: readonly InboxSummary[]): Page {
  const list = html`<ul class="inboxes">
    ${inboxes.map(
      ({ inbox, requests, newestAt }) =>
        html`<li>
          <a class="button button-quiet" href="/inbox/${inbox}"
            ><span>
              ${inbox}: ${requests} ${requests === 1 ? 'request' : 'requests'}, the last one at
              ${timeOf(newestAt)}</span
            ></a
          >
        </li>`,
    )}
  </ul>`
  const body = html`<div class="inbox">
    <h1>Inboxes</h1>
    <p class="hint">
      A receiver of webhooks to look at. Each client of <code>npm start</code> has one: <code>/inbox/demo</code> is that
      of the client <code>demo</code>.
    </p>
    <p class="unseen" role="status"></p>
    <div class="live">${inboxes.length === 0 ? emptyText : list}</div>
  </div>`
  return { title: 'Inboxes', voice: developers, body: shell(body, developers), live: true }
}

/** A browser has it apply to the whole field. What was copied may have blanks around it. */
const fieldPattern = secretPattern.replace('^', '\\s*').replace('$', '\\s*')

const emptyText = html`<p class="card">
  Nothing has arrived yet. In a terminal, run <code>npm run trigger -- payment.succeeded</code>, and its webhook appears
  here.
</p>`

/** Returns the page of an inbox. */
export function inboxPage(input: InboxPageInput): Page {
  const { inbox, address, webhooks, listener, refusals } = input
  const groups = groupAttempts(webhooks) as (Attempts & { requests: readonly [CheckedWebhook, ...CheckedWebhook[]] })[]
  const body = html`<div class="inbox">
    <h1>Webhooks of ${inbox}</h1>
    <p class="hint">
      A subscription with the address <code>${address}</code> has its webhooks here.
      ${
        listener === undefined
          ? 'They are accepted with 204.'
          : html`They are forwarded to <code>${listener}</code>, and answered as that program answers.`
      }
      ${refusals > 0 && html`<strong>The next ${refusals === 1 ? 'one' : refusals} will be refused with 503.</strong>`}
    </p>
    ${settings(input)}
    <p class="unseen" role="status"></p>
    <div class="live">
      ${
        groups.length === 0
          ? emptyText
          : html`<ol class="webhooks">
              ${groups.map((group) => webhook(group))}
            </ol>`
      }
    </div>
  </div>`
  return { title: `Webhooks of ${inbox}`, voice: developers, body: shell(body, developers), live: true }
}

/** Returns a webhook with its newest request's payload, and a line for each of its attempts. */
function webhook({
  id,
  requests,
}: {
  id: string | null
  requests: readonly [CheckedWebhook, ...CheckedWebhook[]]
}): Html {
  const [newest] = requests
  const { type, subject } = eventOf(newest.body)
  const times = requests.length === 1 ? 'arrived once' : `arrived ${requests.length} times`
  return html`<li class="card webhook" id="webhook-${id ?? newest.number}">
    <h2>${type ?? 'No CloudEvent'}</h2>
    <p>
      <span class="badge badge-${newest.signature === 'valid' ? 'good' : isRefused(newest.signature) ? 'bad' : 'open'}"
        >${signatureTexts[newest.signature]}</span
      >
      ${timeOf(newest.receivedAt)}, ${times}, answered ${newest.answer}
    </p>
    ${subject !== undefined && html`<p class="hint">subject <code>${subject}</code></p>`}
    <details class="more">
      <summary>Payload<span class="unseen"> of ${type ?? 'this request'}</span></summary>
      <pre tabindex="0" role="group" aria-label="Payload">${pretty(newest.body)}</pre>
    </details>
    <details class="more">
      <summary>Headers<span class="unseen"> of ${type ?? 'this request'}</span></summary>
      <pre tabindex="0" role="group" aria-label="Headers">
${Object.entries(newest.headers).map(([name, value]) => `${name}: ${value}\n`)}</pre>
    </details>
    <details class="more" ${requests.length > 1 && html`open`}>
      <summary>Attempts: ${requests.length}<span class="unseen"> of ${type ?? 'this request'}</span></summary>
      <ol class="attempts" reversed>
        ${requests.map(
          ({ receivedAt, answer, answeredBy, error }) =>
            html`<li>
              ${timeOf(receivedAt)}:
              ${answer}${answeredBy !== 'inbox' && ` by ${answeredBy}`}${error !== null && ` (${error})`}
            </li>`,
        )}
      </ol>
    </details>
  </li>`
}

function settings({ inbox, secrets }: InboxPageInput): Html {
  const path = `/inbox/${inbox}`
  return html`<details class="card more settings" ${secrets === 0 && html`open`}>
    <summary>Check signatures, refuse a webhook, empty this inbox</summary>
    <form method="post" action="${path}/secrets">
      <label for="secret">Signing secret or public key of your subscription</label>
      <p class="hint" id="secret-hint">
        The reply to the subscription has it.
        ${secrets === 0 ? 'Without it no signature can be checked.' : `Known so far: ${secrets}.`}
      </p>
      <input
        class="secret"
        id="secret"
        name="secret"
        required
        autocomplete="off"
        spellcheck="false"
        placeholder="whsec_…"
        pattern="${fieldPattern}"
        title="It begins with whsec_ or whpk_."
        aria-describedby="secret-hint"
      />
      <button class="button button-quiet" type="submit">Check signatures with it</button>
    </form>
    <form method="post" action="${path}/refusals">
      <button class="button button-quiet" type="submit" name="next" value="1">
        Refuse the next webhook, to see it come again
      </button>
    </form>
    <form method="post" action="${path}/clear">
      <button class="button button-quiet" type="submit">Empty this inbox</button>
    </form>
  </details>`
}

const signatureTexts: Record<SignatureCheck, string> = {
  valid: 'Signature valid',
  invalid: 'Signature not valid',
  'too old': 'Signature too old',
  unsigned: 'Not signed',
  unchecked: 'Signature not checked: tell the secret above',
}

function isRefused(signature: SignatureCheck): boolean {
  return ['invalid', 'too old', 'unsigned'].includes(signature)
}

/** Returns the time of day in UTC, as the log of webhook-delivery has it. */
function timeOf(moment: Date): Html {
  const text = moment.toISOString()
  return html`<time datetime="${text}">${text.slice(11, 19)} UTC</time>`
}

function pretty(body: Buffer): string {
  const text = body.toString('utf8')
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

import type { PracticeDetails, Setup } from '../accounts/commands.ts'
import { pageLocale } from '../checkout/amounts.ts'
import { html, type Html } from './html.ts'
import { messagePage, type Page, shell } from './layout.ts'

/** The values that the practice has entered, and their errors. */
export interface DetailsForm {
  values: { name: string; phone: string; website: string; confirmed: boolean }
  errors: Partial<Record<'name' | 'phone' | 'website' | 'confirmed', string>>
}

/** Returns the form as the practice first sees it, filled in from the account. */
export function knownDetails({ account }: Setup): DetailsForm {
  const values = {
    name: account.businessName ?? '',
    phone: account.supportPhone ?? '',
    website: account.businessUrl ?? '',
    confirmed: false,
  }
  return { values, errors: {} }
}

/** Reads the submitted form. Returns the confirmed details, or the form with its errors to show again. */
export function readDetails(fields: URLSearchParams): { details: PracticeDetails } | { form: DetailsForm } {
  const text = (name: string) => (fields.get(name) ?? '').trim()
  const values = {
    name: text('name'),
    phone: text('phone'),
    website: text('website'),
    confirmed: fields.get('confirmed') === 'yes',
  }
  const errors: DetailsForm['errors'] = {}
  if (values.name === '') errors.name = 'Enter the name of your practice.'
  else if (values.name.length > 200) errors.name = 'The name can have at most 200 characters.'
  if (values.phone !== '' && !/^\+?[\d\s().-]{5,30}$/.test(values.phone)) {
    errors.phone = 'Enter a phone number in digits, such as +64 9 555 0100.'
  }
  if (values.website !== '' && !(/^https?:\/\//.test(values.website) && URL.canParse(values.website))) {
    errors.website = 'Enter the full address, such as https://practice.example.'
  }
  if (!values.confirmed) errors.confirmed = 'Confirm that the details are right.'
  if (Object.keys(errors).length > 0) return { form: { values, errors } }
  return {
    details: { businessName: values.name, supportPhone: values.phone || null, businessUrl: values.website || null },
  }
}

/** Returns the page on which a practice confirms its details. */
export function onboardingPage(setup: Setup, path: string, form: DetailsForm): Page {
  const { account } = setup
  const { values, errors } = form
  const faults = Object.entries(errors)
  const practice = account.businessName ?? 'your practice'
  const region = new Intl.DisplayNames('en', { type: 'region' }).of(account.country) ?? account.country
  const body = html`
    <div class="setup">
      <section class="setup-intro" aria-labelledby="setup-heading">
        <h1 id="setup-heading">Set up payments for ${practice}</h1>
        <p class="lead">Check the details below. Once they are confirmed, patients can pay ${practice} online.</p>
        <dl class="facts">
          <div>
            <dt>Country</dt>
            <dd>${region}</dd>
          </div>
          <div>
            <dt>Payout currency</dt>
            <dd>${account.defaultCurrency.toUpperCase()}</dd>
          </div>
          ${
            account.email &&
            html`<div>
              <dt>Email</dt>
              <dd>${account.email}</dd>
            </div>`
          }
          ${
            account.statementDescriptor &&
            html`<div>
              <dt>On card statements</dt>
              <dd>${account.statementDescriptor}</dd>
            </div>`
          }
          <div>
            <dt>Payouts to</dt>
            <dd>Test bank account ending in 6789</dd>
          </div>
        </dl>
      </section>

      <form class="card setup-form" method="post" action="${path}" aria-labelledby="form-heading" novalidate>
        <h2 id="form-heading">Practice details</h2>
        ${
          faults.length > 0 &&
          html`<div class="alert" role="alert" tabindex="-1" autofocus>
            <p class="alert-title">Please check the form</p>
            <ul>
              ${faults.map(([name, text]) => html`<li><a href="#${name}">${text}</a></li>`)}
            </ul>
          </div>`
        }
        ${field({ name: 'name', label: 'Practice name', value: values.name, error: errors.name, type: 'text', autocomplete: 'organization', required: true })}
        ${field({ name: 'phone', label: 'Phone for patients', value: values.phone, error: errors.phone, type: 'tel', autocomplete: 'tel' })}
        ${field({ name: 'website', label: 'Website', value: values.website, error: errors.website, type: 'url', autocomplete: 'url' })}
        <div class="field">
          <label class="check">
            <input
              type="checkbox"
              id="confirmed"
              name="confirmed"
              value="yes"
              required
              ${attributes(errors.confirmed, 'confirmed')}
              ${values.confirmed && html`checked`}
            />
            <span>These details are right, and I may act for this practice.</span>
          </label>
          ${fault('confirmed', errors.confirmed)}
        </div>
        <button class="button button-main" type="submit" name="intent" value="complete">Confirm and finish</button>
        <button class="button button-quiet" type="submit" name="intent" value="later">Finish later</button>
        <details class="more">
          <summary>Try another outcome</summary>
          <p class="hint">For people who test: what else a review can come to.</p>
          <button class="button button-quiet" type="submit" name="intent" value="restrict">
            Payments on, payouts held
          </button>
          <button class="button button-quiet" type="submit" name="intent" value="reject">Account rejected</button>
        </details>
      </form>
    </div>
  `
  return {
    title: `${faults.length > 0 ? 'Please check the form. ' : ''}Set up payments for ${practice}`,
    language: pageLocale(account.country),
    body: shell(body),
  }
}

/** Returns the page for an unknown link. */
export function unknownLinkPage(): Page {
  return messagePage({
    status: 404,
    language: 'en',
    tone: 'neutral',
    heading: 'We could not find this setup page',
    text: ['The link may be incomplete. Please open it again from your practice software.'],
  })
}

/** Returns the page for a practice whose account is rejected. */
export function rejectedPage(setup: Setup): Page {
  return messagePage({
    language: pageLocale(setup.account.country),
    tone: 'bad',
    heading: 'This account cannot take payments',
    text: [
      'The account was reviewed and rejected, and that cannot be changed here. Please contact your software vendor.',
    ],
    next: { label: 'Back to your software', href: setup.returnUrl },
  })
}

interface Field {
  name: string
  label: string
  value: string
  error: string | undefined
  type: 'text' | 'tel' | 'url'
  autocomplete: string
  required?: boolean
}

function field({ name, label, value, error, type, autocomplete, required }: Field): Html {
  return html`<div class="field">
    <label for="${name}">${label}${!required && html` <span class="optional">optional</span>`}</label>
    <input
      type="${type}"
      id="${name}"
      name="${name}"
      value="${value}"
      autocomplete="${autocomplete}"
      maxlength="200"
      ${required && html`required`}
      ${attributes(error, name)}
    />
    ${fault(name, error)}
  </div>`
}

function attributes(error: string | undefined, name: string): Html | undefined {
  return error === undefined ? undefined : html`aria-invalid="true" aria-describedby="${name}-error"`
}

function fault(name: string, error: string | undefined): Html | undefined {
  return error === undefined ? undefined : html`<p class="field-error" id="${name}-error">${error}</p>`
}

import { countryName } from '@frontdesk/pages/formats'
import { html, type Html } from '@frontdesk/pages/html'
import type { Voice } from '@frontdesk/pages/language'
import { factList } from '@frontdesk/pages/message'
import { texts, type Texts } from '@frontdesk/pages/texts'
import type { PracticeDetails, Setup } from '../accounts/commands.ts'
import { messagePage, type Page, shell } from './layout.ts'

type Member = 'name' | 'phone' | 'website' | 'confirmed'

/** The values that the practice has entered, and their errors, by the names of their texts. */
export interface DetailsForm {
  values: { name: string; phone: string; website: string; confirmed: boolean }
  errors: Partial<Record<Member, keyof Texts['setup']['errors']>>
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
  if (values.name === '') errors.name = 'name'
  else if (values.name.length > 200) errors.name = 'nameLength'
  if (values.phone !== '' && !/^\+?[\d\s().-]{5,30}$/.test(values.phone)) {
    errors.phone = 'phone'
  }
  if (values.website !== '' && !(/^https?:\/\//.test(values.website) && URL.canParse(values.website))) {
    errors.website = 'website'
  }
  if (!values.confirmed) errors.confirmed = 'confirmed'
  if (Object.keys(errors).length > 0) return { form: { values, errors } }
  return {
    details: { businessName: values.name, supportPhone: values.phone || null, businessUrl: values.website || null },
  }
}

/** Returns the page on which a practice confirms its details. */
export function onboardingPage(setup: Setup, path: string, form: DetailsForm, voice: Voice): Page {
  const { account } = setup
  const own = texts[voice.language].setup
  const { values, errors } = form
  const faults = Object.entries(errors)
  const practice = account.businessName ?? texts[voice.language].yourPractice
  const error = (member: Member) => errors[member] && own.errors[errors[member]]
  const input = (name: Exclude<Member, 'confirmed'>) => ({ name, value: values[name], error: error(name), voice })
  const body = html`
    <div class="setup">
      <section class="setup-intro" aria-labelledby="setup-heading">
        <h1 id="setup-heading">${own.heading(practice)}</h1>
        <p class="lead">${own.lead(practice)}</p>
        ${knownFacts(setup, voice)}
      </section>

      <form class="card setup-form" method="post" action="${path}" aria-labelledby="form-heading" novalidate>
        <h2 id="form-heading">${own.details}</h2>
        ${
          faults.length > 0 &&
          html`<div class="alert" role="alert" tabindex="-1" autofocus>
            <p class="alert-title">${own.check}</p>
            <ul>
              ${faults.map(([name, text]) => html`<li><a href="#${name}">${own.errors[text]}</a></li>`)}
            </ul>
          </div>`
        }
        ${field({ ...input('name'), type: 'text', autocomplete: 'organization', required: true })}
        ${field({ ...input('phone'), type: 'tel', autocomplete: 'tel' })}
        ${field({ ...input('website'), type: 'url', autocomplete: 'url' })}
        <div class="field">
          <label class="check">
            <input
              type="checkbox"
              id="confirmed"
              name="confirmed"
              value="yes"
              required
              ${attributes(error('confirmed'), 'confirmed')}
              ${values.confirmed && html`checked`}
            />
            <span>${own.confirmed}</span>
          </label>
          ${fault('confirmed', error('confirmed'))}
        </div>
        <button class="button button-main" type="submit" name="intent" value="complete">${own.finish}</button>
        <button class="button button-quiet" type="submit" name="intent" value="later">${own.later}</button>
        <details class="more">
          <summary>${own.other}</summary>
          <p class="hint">${own.otherHint}</p>
          <button class="button button-quiet" type="submit" name="intent" value="restrict">${own.restrict}</button>
          <button class="button button-quiet" type="submit" name="intent" value="reject">${own.reject}</button>
        </details>
      </form>
    </div>
  `
  const heading = own.heading(practice)
  return { title: faults.length > 0 ? `${own.check}. ${heading}` : heading, voice, body: shell(body, voice) }
}

function knownFacts({ account }: Setup, voice: Voice): Html | undefined {
  const { facts, setup } = texts[voice.language]
  return factList([
    [facts.country, countryName(account.country, voice)],
    [facts.currency, account.defaultCurrency.toUpperCase()],
    [facts.email, account.email ?? undefined],
    [facts.statement, account.statementDescriptor ?? undefined],
    [facts.payouts, setup.bankAccount],
  ])
}

/** Returns the page for an unknown link. */
export function unknownLinkPage(voice: Voice): Page {
  const { heading, text } = texts[voice.language].setup.missing
  return messagePage({ tone: 'neutral', heading, text: [text] }, voice, { status: 404 })
}

/** Returns the page of a setup that has ended: the account takes payments, or is rejected, which is final. */
export function endedPage(setup: Setup, voice: Voice): Page {
  const own = texts[voice.language]
  const isRejected = setup.account.standing === 'rejected'
  const { heading, text } = isRejected ? own.onboarded.rejected : own.onboarded.done
  return messagePage(
    {
      tone: isRejected ? 'bad' : 'good',
      heading,
      text: [text],
      facts: [[own.facts.practice, setup.account.businessName ?? undefined]],
      next: [{ label: own.continue, href: setup.returnUrl }],
    },
    voice,
  )
}

interface Field {
  name: Exclude<Member, 'confirmed'>
  value: string
  voice: Voice
  error: string | undefined
  type: 'text' | 'tel' | 'url'
  autocomplete: string
  required?: boolean
}

function field({ name, value, error, voice, type, autocomplete, required }: Field): Html {
  const own = texts[voice.language].setup
  return html`<div class="field">
    <label for="${name}">${own[name]}${!required && html` <span class="optional">${own.optional}</span>`}</label>
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

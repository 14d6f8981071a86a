import { readFileSync } from 'node:fs'
import { html, type Html } from './html.ts'

/** A page that says one thing. */
export interface Message {
  tone: 'good' | 'waiting' | 'neutral' | 'bad'
  heading: string
  /** Paragraphs. */
  text: ReadonlyArray<string | Html>
  /** Names and values below the text. One without a value is left out. */
  facts?: ReadonlyArray<readonly [name: string, value: string | Html | undefined]>
  /** Links, in the form of buttons; `isMain` marks the step for most readers. */
  next?: ReadonlyArray<{ label: string; href: string; isMain?: boolean } | undefined>
  /** Below everything. */
  extra?: Html | undefined
  /** Whether the heading takes the focus when the page replaces another one in a frame. */
  takesFocus?: boolean
}

/** The stylesheet that all pages share: colours, texts, buttons, and messages. */
export const designStyles = ['base', 'message']
  .map((name) => readFileSync(new URL(`./styles/${name}.css`, import.meta.url), 'utf8'))
  .join('\n')

/** Returns the content of a page with a message. */
export function messageCard({ tone, heading, text, facts = [], next = [], extra, takesFocus }: Message): Html {
  return html`
    <div class="message">
      <section class="card message-card" aria-labelledby="heading">
        <span class="mark mark-${tone}" aria-hidden="true"></span>
        <h1 id="heading" ${takesFocus === true && html` tabindex="-1" data-focus`}>${heading}</h1>
        ${text.map((line) => html`<p>${line}</p>`)} ${factList(facts)}
        ${next.map(
          (link) =>
            link &&
            html`<p class="message-next">
              <a class="button ${link.isMain === true ? 'button-main' : 'button-quiet'}" href="${link.href}"
                >${link.label}</a
              >
            </p>`,
        )}
        ${extra}
      </section>
    </div>
  `
}

/** Returns a list of names and values; nothing if there is no value. */
export function factList(facts: NonNullable<Message['facts']>): Html | undefined {
  const known = facts.filter(([, value]) => value !== undefined && value !== '')
  if (known.length === 0) return undefined
  return html`<dl class="facts">
    ${known.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}

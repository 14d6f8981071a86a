// Shows new webhooks without a reload. Everything else of the page works without scripts.
const shown = document.querySelector('.live')
const controls = 'summary, pre, a'

/** Returns where the focus is inside of the list, as a function that finds the same place in the next one. */
function focusedPlace() {
  const focused = document.activeElement
  const webhook = shown.contains(focused) ? focused.closest('.webhook') : null
  if (webhook === null) return () => null
  const at = [...webhook.querySelectorAll(controls)].indexOf(focused)
  return () => document.getElementById(webhook.id)?.querySelectorAll(controls)[at] ?? null
}

async function refresh() {
  const reply = await fetch(location.href, { cache: 'no-store' })
  const next = new DOMParser().parseFromString(await reply.text(), 'text/html').querySelector('.live')
  if (next.textContent === shown.textContent) return
  for (const webhook of shown.querySelectorAll('.webhook')) {
    const newer = next.querySelector(`#${CSS.escape(webhook.id)}`)
    for (const [at, details] of webhook.querySelectorAll('details').entries()) {
      if (details.open) newer?.querySelectorAll('details')[at]?.setAttribute('open', '')
    }
  }
  const place = focusedPlace()
  shown.replaceChildren(...next.childNodes)
  place()?.focus({ preventScroll: true })
  document.querySelector('[role=status]').textContent =
    `The newest one: ${shown.querySelector('h2, a')?.textContent ?? 'none'}`
}

setInterval(() => void refresh().catch(() => undefined), 2000)

// Shows new webhooks without a reload. Everything else of the page works without scripts.
const shown = document.querySelector('.live')

async function refresh() {
  const reply = await fetch(location.href, { cache: 'no-store' })
  const next = new DOMParser().parseFromString(await reply.text(), 'text/html').querySelector('.live')
  // The focus of somebody who reads is not taken away.
  if (next.textContent === shown.textContent || shown.contains(document.activeElement)) return
  for (const webhook of shown.querySelectorAll('.webhook')) {
    const newer = next.querySelector(`#${CSS.escape(webhook.id)}`)
    for (const [at, details] of webhook.querySelectorAll('details').entries()) {
      if (details.open) newer?.querySelectorAll('details')[at]?.setAttribute('open', '')
    }
  }
  shown.replaceChildren(...next.childNodes)
}

setInterval(() => void refresh().catch(() => undefined), 2000)

// What Stripe.js is to Stripe: puts an embedded checkout into a page of a practice. The calls are Stripe's, so a page that
// works here works there; what Frontdesk has no use for is missing. Plain JavaScript, sent to browsers as it stands.
;(() => {
  const sandbox = new URL(document.currentScript.src).origin

  /** As Stripe: a key of the right kind, and the connected account that the checkout is on. */
  function Stripe(publishableKey, { stripeAccount } = {}) {
    if (typeof publishableKey !== 'string' || !publishableKey.startsWith('pk_')) {
      throw new TypeError('Invalid value for Stripe(): a publishable key begins with "pk_".')
    }
    return {
      async createEmbeddedCheckoutPage({ fetchClientSecret, clientSecret, onComplete }) {
        return embeddedCheckout(fetchClientSecret ? await fetchClientSecret() : clientSecret, stripeAccount, onComplete)
      },
    }
  }

  function embeddedCheckout(clientSecret, stripeAccount = '', onComplete = () => {}) {
    if (typeof clientSecret !== 'string' || !clientSecret.includes('_secret_')) {
      throw new TypeError('An embedded checkout needs the client secret of its session.')
    }
    const frame = document.createElement('iframe')
    frame.title = 'Payment'
    frame.src = `${sandbox}/e/${encodeURIComponent(clientSecret)}?account=${encodeURIComponent(stripeAccount)}`
    frame.style.cssText = 'display: block; width: 100%; height: 40rem; border: 0; color-scheme: light;'
    let isComplete = false

    function hear({ source, origin, data }) {
      if (source !== frame.contentWindow || origin !== sandbox) return
      if (data.height > 0) frame.style.height = `${data.height}px`
      if (!data.complete || isComplete) return
      isComplete = true
      onComplete()
    }
    function unmount() {
      window.removeEventListener('message', hear)
      frame.remove()
    }
    return {
      mount(place) {
        const element = typeof place === 'string' ? document.querySelector(place) : place
        if (!element) throw new TypeError(`There is no element ${place} to mount the checkout in.`)
        window.addEventListener('message', hear)
        element.replaceChildren(frame)
      },
      unmount,
      destroy: unmount,
    }
  }

  window.Stripe = Stripe
})()

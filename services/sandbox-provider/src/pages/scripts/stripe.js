// Replaces Stripe.js: mounts an embedded checkout in a page of a practice. It has the same calls as Stripe.js, as far as
// Frontdesk needs them, so that a page that works here also works with Stripe. Sent to browsers as it is.
;(() => {
  const sandbox = new URL(document.currentScript.src).origin

  /** Like Stripe's, it takes a publishable key and the connected account of the checkout. */
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

    function receive({ source, origin, data }) {
      if (source !== frame.contentWindow || origin !== sandbox) return
      if (data.height > 0) frame.style.height = `${data.height}px`
      if (!data.complete || isComplete) return
      isComplete = true
      onComplete()
    }
    function unmount() {
      window.removeEventListener('message', receive)
      frame.remove()
    }
    return {
      mount(place) {
        const element = typeof place === 'string' ? document.querySelector(place) : place
        if (!element) throw new TypeError(`There is no element ${place} to mount the checkout in.`)
        window.addEventListener('message', receive)
        element.replaceChildren(frame)
      },
      unmount,
      destroy: unmount,
    }
  }

  window.Stripe = Stripe
})()

// Runs in an embedded checkout: tells the page around it how tall it is, and when it is complete. Neither is a secret, so
// whoever frames it may hear. Without it the checkout works as well.
const tell = (news) => window.parent.postMessage(news, '*')

new ResizeObserver(() => tell({ height: Math.ceil(document.body.getBoundingClientRect().height) })).observe(
  document.body,
)
if ('complete' in document.body.dataset) tell({ complete: true })

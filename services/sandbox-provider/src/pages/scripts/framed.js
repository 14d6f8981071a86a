// Runs in an embedded checkout. Tells the page around it the checkout's height, and when it is complete. Neither is a secret,
// so any page may read it. The checkout also works without this script.
const tell = (message) => window.parent.postMessage(message, '*')

new ResizeObserver(() => tell({ height: Math.ceil(document.body.getBoundingClientRect().height) })).observe(
  document.body,
)
// A person who acted in the frame finds the focus at the result. Chromium ignores `autofocus` in a frame of another site. While the
// page around it has the focus, nobody has acted in here.
if (document.hasFocus()) document.querySelector('[data-focus]')?.focus()
if ('complete' in document.body.dataset) tell({ complete: true })

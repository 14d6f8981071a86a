// What a test asks of a page, run inside of it: plain JavaScript, because the types of a browser are not those of Node.
// Each function is sent as text, so it can use nothing but the page and its own insides.

/** What has the keyboard's focus, by its text or label; empty where nothing has. */
export function focusedName() {
  const focused = document.activeElement
  if (focused === null || focused === document.body) return ''
  const label = focused instanceof HTMLInputElement ? focused.labels?.[0]?.textContent : focused.textContent
  const shown = getComputedStyle(focused).outlineStyle !== 'none'
  return `${(label ?? '').replaceAll(/\s+/g, ' ').trim()}${shown ? '' : ' (focus not visible)'}`
}

/** What can be pressed or filled in, and is smaller than 44 pixels in either direction. */
export function smallTargets() {
  return [...document.querySelectorAll('a, button, summary, input:not([type=checkbox]), label.check')]
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ element, box }) => box.width > 0 && !element.closest('.alert') && (box.height < 44 || box.width < 44))
    .map(({ element, box }) => `${element.textContent.trim()} ${box.width}x${box.height}`)
}

/** Texts whose contrast with their ground is under 4.5:1 (WCAG 2.2 AA). */
export function faintTexts() {
  const channels = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number)
  const luminance = (colour) => {
    const [red, green, blue] = channels(colour).map((value) => {
      const share = value / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const groundOf = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor
      if ((channels(colour)[3] ?? 1) > 0) return colour
    }
    return 'rgb(255, 255, 255)'
  }
  const contrast = (element) => {
    const text = luminance(getComputedStyle(element).color)
    const ground = luminance(groundOf(element))
    return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05)
  }
  const faint = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { textContent, parentElement } = texts.currentNode
    const isShown = textContent.trim() !== '' && parentElement.getClientRects().length > 0
    if (isShown && contrast(parentElement) < 4.5) faint.push(`${textContent.trim()}: ${contrast(parentElement)}`)
  }
  return faint
}

/** How many pixels of the page stick out to the side. */
export function sidewaysOverflow() {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth
}

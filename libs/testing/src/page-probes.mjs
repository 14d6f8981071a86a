// Functions that tests run inside a page. They are sent as text, so they can use only the page and their own variables.
// They are plain JavaScript because the types of a browser conflict with those of Node.

/** Returns the text or label of the focused element; empty if there is none. */
export function focusedName() {
  const focused = document.activeElement
  if (focused === null || focused === document.body) return ''
  const label = focused instanceof HTMLInputElement ? focused.labels?.[0]?.textContent : focused.textContent
  const shown = getComputedStyle(focused).outlineStyle !== 'none'
  return `${(label ?? '').replaceAll(/\s+/g, ' ').trim()}${shown ? '' : ' (focus not visible)'}`
}

/** Returns the buttons, links and fields that are smaller than 44 pixels in either direction. */
export function smallTargets() {
  return [...document.querySelectorAll('a, button, summary, input:not([type=checkbox]), label.check')]
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ element, box }) => box.width > 0 && !element.closest('.alert') && (box.height < 44 || box.width < 44))
    .map(({ element, box }) => `${element.textContent.trim()} ${box.width}x${box.height}`)
}

/** Returns the texts with a contrast to their background below 4.5:1 (WCAG 2.2 AA). */
export function faintTexts() {
  const channels = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number)
  const luminance = (colour) => {
    const [red, green, blue] = channels(colour).map((value) => {
      const share = value / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const backgroundOf = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor
      if ((channels(colour)[3] ?? 1) > 0) return colour
    }
    return 'rgb(255, 255, 255)'
  }
  const contrast = (element) => {
    const text = luminance(getComputedStyle(element).color)
    const background = luminance(backgroundOf(element))
    return (Math.max(text, background) + 0.05) / (Math.min(text, background) + 0.05)
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

/** Returns the cards whose content goes beyond their edge, and the buttons whose text is in several columns. */
export function spills() {
  const parts = (button) => [...button.childNodes].filter(({ textContent }) => textContent.trim() !== '')
  const split = [...document.querySelectorAll('.button')].filter((button) => parts(button).length > 1)
  const wide = [...document.querySelectorAll('.card')].filter(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
  )
  return [...split, ...wide].map(({ className, textContent }) => `${className}: ${textContent.trim().slice(0, 100)}`)
}

/** Returns the number of pixels by which the page is wider than the window. */
export function sidewaysOverflow() {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth
}

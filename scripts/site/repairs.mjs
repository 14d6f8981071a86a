/** What breaks a rule of axe in VitePress' theme, and its repair, by file. */
const repairs = {
  // The dialog is a button that contains everything, and each option a list item that contains a link.
  'VPLocalSearchBox.vue': [
    [
      /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/,
      'role="dialog" aria-modal="true"',
    ],
    [/:id="'localsearch-item-' \+ index"\s+:aria-selected="[^"]*"\s+role="option"/, 'role="none"'],
    [
      /:aria-label="\[\.\.\.p\.titles, p\.title\]\.join\(' > '\)"/,
      `role="option" :id="'localsearch-item-' + index" :aria-selected="selectedIndex === index"`,
    ],
    // A name needs a role.
    [/<kbd (?=:aria-label)/g, '<kbd role="img" '],
  ],
  // The page for an unknown address has no main part.
  'NotFound.vue': [
    [/<div class="NotFound">/, '<main class="NotFound">'],
    [/<\/div>(?=\s*<\/template>)/, '</main>'],
  ],
}

/** A plugin for Vite that repairs VitePress' theme. Throws if a file is no longer what is repaired here: look at it with axe. */
export function themeRepairs() {
  return {
    name: 'theme-repairs',
    enforce: 'pre',
    transform(code, id) {
      const file = /\/vitepress\/dist\/client\/theme-default\/(?:.*\/)?(\w+\.vue)$/.exec(id)?.[1]
      return repairs[file]?.reduce((text, [from, to]) => {
        if (text.search(from) === -1) throw new Error(`${file} has no ${from}`)
        return text.replace(from, to)
      }, code)
    },
  }
}

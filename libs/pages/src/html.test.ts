import { expect, test } from 'vitest'
import { html } from './html.ts'

test('values are escaped, in texts and in attributes', () => {
  const name = `"><script>alert('&')</script>`
  expect(html`<a title="${name}">${name}</a>`.markup).toBe(
    '<a title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">' +
      '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</a>',
  )
})

test('nested markup is not escaped, lists are joined, and absent values leave nothing', () => {
  const parts = ['a', 'b'].map((part) => html`<b>${part}</b>`)
  expect(html`<i>${parts}${false}${null}${undefined}${0}</i>`.markup).toBe('<i><b>a</b><b>b</b>0</i>')
})

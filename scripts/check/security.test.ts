import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** The cells of the last column of every table that has a column `shown by`; `-` where a person must look. */
function shownBy(text: string): string[] {
  const lines = text.split('\n')
  const shown: string[] = []
  let isShowing = false
  for (const line of lines) {
    if (!line.startsWith('|')) isShowing = false
    const last = line.split('|').at(-2)?.trim() ?? ''
    if (last === 'shown by') isShowing = true
    else if (isShowing && last !== '---') shown.push(last)
  }
  return shown
}

test('every row of the threat model and of the rotations names a test that exists', () => {
  const cells = shownBy(readFileSync(join(root, 'docs/security.md'), 'utf8'))
  expect(cells.length).toBeGreaterThan(25)
  const faults = cells.flatMap((cell) => {
    if (cell === '-') return []
    const [, path = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(cell) ?? []
    if (path === '' || !existsSync(join(root, path))) return [`no such file: ${cell}`]
    const text = readFileSync(join(root, path), 'utf8').replaceAll("\\'", "'")
    return text.includes(title) ? [] : [`${path} has no test "${title}"`]
  })
  expect(faults).toEqual([])
})

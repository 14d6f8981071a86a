import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const docs = join(root, 'docs')

/** The rows of the tables: the decision, its records if it has any, and the test that shows it. */
const rows = readFileSync(join(docs, 'interface-decisions.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Not shown |') && !line.startsWith('| Left open |'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, open = '', decision = '', record = '', shownBy = '']) => ({ open, decision, record, shownBy }))

test('every row has a decision, a test that exists, and no record that does not', () => {
  expect(rows.length).toBeGreaterThan(40)
  const faults = rows.flatMap(({ open, decision, record, shownBy }) => {
    const [, path = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(shownBy) ?? []
    const file = join(root, path)
    const records = [...record.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => join(docs, path))
    if (decision === '') return [`${open}: not decided`]
    if (!records.every((path) => existsSync(path))) return [`${open}: no such record`]
    if (path === '' || !existsSync(file)) return [`${open}: no such file: ${path}`]
    const isThere = readFileSync(file, 'utf8').includes(title.replaceAll('\\`', '`'))
    return isThere ? [] : [`${open}: ${path} has no test "${title}"`]
  })
  expect(faults).toEqual([])
})

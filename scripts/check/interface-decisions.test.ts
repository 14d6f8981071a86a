import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const docs = join(root, 'docs')

/** The rows of the tables: what was decided, where, and the test that shows it. */
const rows = readFileSync(join(docs, 'interface-decisions.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Not shown |') && !line.startsWith('| Left open |'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, open = '', decision = '', where = '', shownBy = '']) => ({ open, decision, where, shownBy }))

test('every row has a decision, the place where it was made, and a test that exists', () => {
  expect(rows.length).toBeGreaterThan(40)
  const faults = rows.flatMap(({ open, decision, where, shownBy }) => {
    const [, path = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(shownBy) ?? []
    const file = join(root, path)
    const records = [...where.matchAll(/\]\(([^)]+)\)/g)].map(([, record = '']) => join(docs, record))
    if (decision === '' || (!where.includes('design') && records.length === 0)) return [`${open}: not decided`]
    if (!records.every((record) => existsSync(record))) return [`${open}: no such record`]
    if (path === '' || !existsSync(file)) return [`${open}: no such file: ${path}`]
    const isThere = readFileSync(file, 'utf8').includes(title.replaceAll('\\`', '`'))
    return isThere ? [] : [`${open}: ${path} has no test "${title}"`]
  })
  expect(faults).toEqual([])
})

import type { OperationId } from '@frontdesk/contracts'
import type { Case } from './case.ts'
import { columns, columnsOf, numberOf, operationIds, type Cell, type Column } from './cells.ts'
import { endpoints } from './interface-document.ts'
import { needTexts, type Need } from './needs.ts'
import { neverProduced } from './never-produced.ts'

/** How a case ended. */
export type Outcome = { passed: true } | { passed: false; reason: string } | { lacking: Need }

/** The cell of one operation and column. */
export type CellState =
  | { kind: 'shown'; cases: number }
  | { kind: 'failed' | 'missing' }
  | { kind: 'needs'; need: Need }
  | { kind: 'no rule'; reason: string }
  | { kind: 'not listed' }

/** Returns the state of a cell after the cases have run. */
export function stateOf(id: OperationId, column: Column, outcomes: ReadonlyMap<Case, Outcome>): CellState {
  if (!columnsOf(id).includes(column)) return { kind: 'not listed' }
  const cell: Cell = `${id} ${column}`
  const ends = [...outcomes].flatMap(([{ shows = [] }, outcome]) => (shows.includes(cell) ? [outcome] : []))
  if (ends.some((end) => 'passed' in end && !end.passed)) return { kind: 'failed' }
  const shown = ends.filter((end) => 'passed' in end).length
  if (shown > 0) return { kind: 'shown', cases: shown }
  const [lacking] = ends
  if (lacking !== undefined && 'lacking' in lacking) return { kind: 'needs', need: lacking.lacking }
  const reason = neverProduced[cell]
  return reason === undefined ? { kind: 'missing' } : { kind: 'no rule', reason }
}

/** Returns the cells that are neither shown nor explained. */
export function openCells(outcomes: ReadonlyMap<Case, Outcome>): Cell[] {
  return operationIds.flatMap((id) =>
    columnsOf(id).flatMap((column): Cell[] =>
      ['failed', 'missing'].includes(stateOf(id, column, outcomes).kind) ? [`${id} ${column}`] : [],
    ),
  )
}

/** Returns the table as text: operations by success and error category, with the reasons below. */
export function printedTable(outcomes: ReadonlyMap<Case, Outcome>): string {
  const notes: string[] = []
  const noteOf = (text: string): number => {
    if (!notes.includes(text)) notes.push(text)
    return notes.indexOf(text) + 1
  }
  const rows = operationIds.map((id) => [
    `${id in endpoints ? String(numberOf(id)).padStart(2) : ' +'} ${id}`,
    ...columns.map((column) => cellText(stateOf(id, column, outcomes), noteOf)),
  ])
  const head = ['operation', ...columns.map((column) => column.replace(' requests', '').replace(' Request', ''))]
  const widths = head.map((title, index) => Math.max(title.length, ...rows.map((row) => row[index]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd()
  return [
    line(head),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map(line),
    '',
    ...notes.map((note, index) => `[${index + 1}] ${note}`),
    'shown n: by n cases    -: the interface does not list it    +: an addition of ours',
  ].join('\n')
}

function cellText(state: CellState, noteOf: (text: string) => number): string {
  switch (state.kind) {
    case 'shown':
      return `shown ${state.cases}`
    case 'failed':
      return 'FAILED'
    case 'missing':
      return 'MISSING'
    case 'needs':
      return `needs [${noteOf(`needs ${needTexts[state.need]}`)}]`
    case 'no rule':
      return `no rule [${noteOf(`allowed, no rule produces it: ${state.reason}`)}]`
    case 'not listed':
      return '-'
  }
}

import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import type { Case, CaseGroup } from './case.ts'
import type { ConformanceOptions } from './options.ts'
import { suite } from './suite.ts'

/** Returns the groups with the cases that the options choose. */
export function chosenGroups({ only }: Pick<ConformanceOptions, 'only'>): CaseGroup[] {
  const isWanted = (text: string) => only === undefined || text.toLowerCase().includes(only.toLowerCase())
  return suite
    .map(({ title, cases }) => ({ title, cases: cases.filter((one) => isWanted(title) || isWanted(one.title)) }))
    .filter(({ cases }) => cases.length > 0)
}

/** Returns the cases that kill services or replace the files of their clients and keys. */
export function violentCases(groups: readonly CaseGroup[]): Case[] {
  return groups
    .flatMap(({ cases }) => cases)
    .filter(({ needs = [] }) => needs.includes('processes') || needs.includes('files'))
}

/**
 * Asks the person at the terminal whether services may be killed.
 *
 * @throws Error if the answer is no, or if nobody is there to answer
 */
export async function askConsent(cases: readonly Case[], home: string): Promise<void> {
  const what =
    `${cases.length} of the cases kill services of the system in ${home} with SIGKILL, or replace its clients' and keys' files for a ` +
    'while. Everything comes back by itself, and your own requests fail meanwhile.'
  if (process.stdin.isTTY !== true) {
    throw new Error(`${what}\nSay --kill-services if that is all right, or --foreign to leave these cases out.`)
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await terminal.question(`${what}\nGo on? [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new Error('Nothing was done. With --foreign these cases are left out.')
  } finally {
    terminal.close()
  }
}

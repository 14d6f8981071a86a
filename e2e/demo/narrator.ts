import type { WriteStream } from 'node:tty'
import type { System } from '../system/system.ts'

/** The system that the demo shows, and where the demo prints. */
export interface Demo extends System {
  narrator: Narrator
}

export interface Narrator {
  /** Prints the heading of a part of the story. */
  chapter(title: string): void
  /** Runs a step; prints the sentence that it returns and how long it took. */
  step<Result = undefined>(work: () => Promise<{ told: string; result?: Result }>): Promise<Result>
  /** Prints a detail below a step. */
  detail(text: string): void
  end(text: string): void
  fault(text: string): void
}

/** Prints the story to a terminal or a file, one line a step. */
export function openNarrator(out: NodeJS.WriteStream | WriteStream): Narrator {
  const paint = (code: number, text: string) => (out.isTTY ? `\u001b[${code}m${text}\u001b[0m` : text)
  const line = (text: string) => void out.write(`${text}\n`)
  return {
    chapter: (title) => line(`\n${paint(1, title)}`),
    async step<Result>(work: () => Promise<{ told: string; result?: Result }>) {
      const started = performance.now()
      const { told, result } = await work()
      line(`  ${paint(32, '✓')} ${told} ${paint(2, `(${Math.round(performance.now() - started)} ms)`)}`)
      return result as Result
    },
    detail: (text) => line(`    ${paint(2, text)}`),
    end: (text) => line(`\n${paint(32, text)}`),
    fault: (text) => line(`\n${paint(31, `✗ ${text}`)}`),
  }
}

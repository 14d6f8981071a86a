import type { WriteStream } from 'node:tty'

/** Something was not as the story tells it. */
export class DemoFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DemoFault'
  }
}

export interface Narrator {
  /** A part of the story. */
  chapter(title: string): void
  /** A step: its work is timed, and the sentence it returns is told. */
  step<T>(work: () => Promise<{ told: string; result: T }>): Promise<T>
  /** A detail below a step. */
  detail(text: string): void
  end(text: string): void
  fault(text: string): void
}

/** Tells the story on a terminal or into a file: one line a step, with its time. */
export function openNarrator(out: NodeJS.WriteStream | WriteStream): Narrator {
  const paint = (code: number, text: string) => (out.isTTY ? `\u001b[${code}m${text}\u001b[0m` : text)
  const line = (text: string) => void out.write(`${text}\n`)
  return {
    chapter: (title) => line(`\n${paint(1, title)}`),
    async step(work) {
      const started = performance.now()
      const { told, result } = await work()
      line(`  ${paint(32, '✓')} ${told} ${paint(2, `(${Math.round(performance.now() - started)} ms)`)}`)
      return result
    },
    detail: (text) => line(`    ${paint(2, text)}`),
    end: (text) => line(`\n${paint(32, text)}`),
    fault: (text) => line(`\n${paint(31, `✗ ${text}`)}`),
  }
}

/** Throws DemoFault unless the condition holds. */
export function expect(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new DemoFault(otherwise)
}

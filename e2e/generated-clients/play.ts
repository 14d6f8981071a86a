import { spawn } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { System } from '../system/system.ts'
import type { Language } from './languages.ts'

/** A line of a story. */
export type Step =
  | { step: 'onboard'; account: string }
  | { step: 'refused'; code: string }
  | { step: 'pay'; payment: string }
  | { step: 'done'; site: string; record: string; amount: number; statuses: number; secret: string }

/** Lets a story be told against a running system, and does what a person does at the provider. Returns its steps. */
export async function playStory(
  language: Language,
  folder: string,
  {
    system,
    gateway,
    client,
    receiver,
  }: {
    system: Pick<System, 'provider'>
    gateway: string
    client: { id: string; secret: string }
    receiver: string
  },
): Promise<Step[]> {
  const { command, args, cwd } = language.story(folder)
  const env = {
    ...process.env,
    BASE_URL: gateway,
    RECEIVER_URL: receiver,
    CLIENT_ID: client.id,
    CLIENT_SECRET: client.secret,
  }
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((done, fail) => child.once('close', done).once('error', fail))
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  const steps: Step[] = []
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const step = JSON.parse(line) as Step
      steps.push(step)
      if (step.step === 'onboard') await system.provider.control(`accounts/${step.account}/complete`)
      if (step.step === 'pay') await system.provider.atCheckout(step.payment, 'pay')
    }
    const code = await ended
    if (code !== 0 || complaints !== '')
      throw new Error(`the story in ${language.name} ended with ${code}: ${complaints}`)
    return steps
  } finally {
    child.kill()
  }
}

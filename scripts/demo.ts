import { FrontdeskProblem } from '@frontdesk/client'
import { connectToDevelopment } from './demo/development.ts'
import { showEmbedded } from './demo/embedded.ts'
import { DemoFault, openNarrator } from './demo/narrator.ts'
import { tellTheStory } from './demo/story.ts'

const narrator = openNarrator(process.stdout)

async function main(what: string | undefined): Promise<void> {
  if (what === 'embedded') return showEmbedded(connectToDevelopment(process.env), narrator, toldToStop())
  if (what !== undefined) throw new DemoFault(`There is no demo "${what}": there is the story, and "embedded".`)
  const started = performance.now()
  await tellTheStory(connectToDevelopment(process.env), narrator)
  narrator.end(
    `The whole story in ${((performance.now() - started) / 1000).toFixed(1)} s, and everything was as it should be.`,
  )
}

function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}

try {
  await main(process.argv[2])
} catch (error) {
  if (error instanceof DemoFault || error instanceof FrontdeskProblem) narrator.fault(error.message)
  else narrator.fault(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exitCode = 1
}

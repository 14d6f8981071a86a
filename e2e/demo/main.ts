import { FrontdeskProblem } from '#client'
import { SystemFault } from '../system/fault.ts'
import { devFilePath, joinSystem, readSystemFile } from '../system/system.ts'
import { showEmbedded } from './embedded.ts'
import { openNarrator } from './narrator.ts'
import { runStory } from './story.ts'

const narrator = openNarrator(process.stdout)

async function main(name: string | undefined): Promise<void> {
  if (name !== undefined && name !== 'embedded')
    throw new SystemFault(`There is no demo "${name}". Leave the name out for the story, or say "embedded".`)
  const demo = { ...joinSystem(readSystemFile(devFilePath(process.env))), narrator }
  if (name === 'embedded') return showEmbedded(demo, interrupted())
  const started = performance.now()
  await runStory(demo)
  narrator.end(
    `The whole story in ${((performance.now() - started) / 1000).toFixed(1)} s, and everything was as it should be.`,
  )
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}

try {
  await main(process.argv[2])
} catch (error) {
  if (error instanceof SystemFault || error instanceof FrontdeskProblem) narrator.fault(error.message)
  else narrator.fault(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exitCode = 1
}

import { FrontdeskProblem } from '@frontdesk/client'
import { connectToDevelopment } from './demo/development.ts'
import { DemoFault, openNarrator } from './demo/narrator.ts'
import { tellTheStory } from './demo/story.ts'

const narrator = openNarrator(process.stdout)
try {
  const started = performance.now()
  await tellTheStory(connectToDevelopment(process.env), narrator)
  narrator.end(
    `The whole story in ${((performance.now() - started) / 1000).toFixed(1)} s, and everything was as it should be.`,
  )
} catch (error) {
  if (error instanceof DemoFault || error instanceof FrontdeskProblem) narrator.fault(error.message)
  else narrator.fault(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exitCode = 1
}

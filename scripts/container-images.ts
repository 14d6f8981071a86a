import process from 'node:process'
import { hasContainerImages, images } from '@frontdesk/testing/containers'

// Says by its exit code whether the integration tests can run on containers without fetching anything.
const found = await hasContainerImages()
console.log(
  `containers: ${found ? 'an engine answers and has' : 'there is no engine that has'} ${Object.values(images).join(' and ')}`,
)
process.exitCode = found ? 0 : 1

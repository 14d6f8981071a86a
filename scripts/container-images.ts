// Exits with 0 if the integration tests can run on containers without a download, else with 1.
import process from 'node:process'
import { hasContainerImages, images } from '@frontdesk/testing/containers'

const found = await hasContainerImages()
console.log(`containers: ${found ? 'an' : 'no'} engine has the images ${Object.values(images).join(' and ')}`)
process.exitCode = found ? 0 : 1

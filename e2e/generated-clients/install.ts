// Installs the generators of clients for the languages that this machine has: their test needs them. Uses the network.
import { existsSync } from 'node:fs'
import { hasToolchain, languages } from './languages.ts'

for (const language of languages) {
  const { name, toolchain, generator } = language
  if (!hasToolchain(language)) console.log(`${name}: there is no ${toolchain}; the test of its client will be skipped`)
  else if (existsSync(generator)) console.log(`${name}: installed before`)
  else {
    try {
      await language.install()
      console.log(`${name}: installed`)
    } catch (error) {
      console.error(
        `${name}: the generator could not be installed; the test of its client will be skipped\n${String(error)}`,
      )
    }
  }
}

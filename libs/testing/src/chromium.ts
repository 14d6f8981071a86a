import { existsSync } from 'node:fs'
import process from 'node:process'
import { chromium, type Browser } from 'playwright-core'

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Returns the path of a Chromium: `CHROMIUM_PATH`, or one of the usual places. Prints a line and returns undefined if there is none. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH']
  const found = named ?? usualPlaces.find((path) => existsSync(path))
  if (found === undefined) {
    process.stderr.write('The browser tests are skipped because no Chromium was found. Set CHROMIUM_PATH to one.\n')
  }
  return found
}

/** Starts Chromium without a window. */
export async function launchChromium(executablePath: string): Promise<Browser> {
  // Chromium's sandbox does not work for root, and containers have little shared memory.
  const isRoot = process.getuid?.() === 0
  return chromium.launch({ executablePath, args: [...(isRoot ? ['--no-sandbox'] : []), '--disable-dev-shm-usage'] })
}

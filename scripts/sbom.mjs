/**
 * Prints the bill of materials of what a deployment installs (CycloneDX, JSON), from the lockfile and the installed packages:
 *
 *   npm run --silent sbom > sbom.json
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { ensurePnpm } from './bootstrap/pnpm.mjs'

const root = resolve(import.meta.dirname, '..')
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const [command, ...first] = await ensurePnpm(packageManager, join(root, 'node_modules', '.cache', 'frontdesk'))
const options = ['sbom', '--prod', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
const child = spawn(command, [...first, ...options], { cwd: root, stdio: 'inherit' })
child.once('close', (code) => (process.exitCode = code ?? 1))

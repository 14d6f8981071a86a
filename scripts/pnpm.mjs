/**
 * Runs the locked pnpm, of which npm has checked the hash:
 *
 *   npm run pnpm -- install                  after a change of a package.json
 *   npm run --silent sbom > sbom.json        the bill of materials of what a deployment installs (CycloneDX)
 *   npm run audit-packages                   signatures of the registry, and known weaknesses, as far as the registry answers
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { ensurePnpm } from './bootstrap/pnpm.mjs'

const root = resolve(import.meta.dirname, '..')
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const [command, ...first] = await ensurePnpm(packageManager, join(root, 'node_modules', '.cache', 'frontdesk'))
const child = spawn(command, [...first, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' })
child.once('close', (code) => (process.exitCode = code ?? 1))

import type { CaseGroup } from '../../case.ts'
import { bodies } from './bodies.ts'
import { encodings } from './encodings.ts'
import { smuggling } from './smuggling.ts'
import { targets } from './targets.ts'
import { tenants } from './tenants.ts'
import { tokenAttacks } from './tokens.ts'

/** Attacks from outside, with at most the rights of another tenant. Alone: `--only attacks`. */
export const attacks: readonly CaseGroup[] = [tokenAttacks, smuggling, encodings, targets, tenants, bodies]

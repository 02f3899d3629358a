import { compileGlob, escapeGlob } from '@parley/foundation/rules'

import type { Check } from '../checks/check.ts'
import type { ToolFilter } from './profiles.ts'

/** Hides tools that a profile does not have, and refuses calls to them. Names that look like one that is denied are denied too. */
export function profileCheck(name: string, { allow, deny = [] }: ToolFilter): Check {
  const allowed = allow?.map(patternOf)
  const denied = deny.map(patternOf)
  return {
    name: `profile ${name}`,
    shows(_, { kind, exposedName }) {
      if (kind !== 'tool') return true
      if (denied.some((each) => each.catches(exposedName))) return false
      return allowed === undefined || allowed.some((each) => each.matches(exposedName))
    },
  }
}

/** The file is read with the same function, so what cannot be compiled does not come here; from a program it is a name. */
function patternOf(pattern: string) {
  const glob = compileGlob(pattern)
  if (!('fix' in glob)) return glob
  const literal = compileGlob(escapeGlob(pattern))
  if ('fix' in literal) throw new TypeError(`the pattern ${pattern} ${literal.message}`)
  return literal
}

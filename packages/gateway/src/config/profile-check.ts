import type { Check } from '../checks/check.ts'
import type { ToolFilter } from './profiles.ts'

/** Hides tools that a profile does not have, and refuses calls to them. */
export function profileCheck(name: string, { allow, deny = [] }: ToolFilter): Check {
  const allowed = allow?.map(patternOf)
  const denied = deny.map(patternOf)
  return {
    name: `profile ${name}`,
    shows(_, { kind, exposedName }) {
      if (kind !== 'tool') return true
      if (denied.some((each) => each.test(exposedName))) return false
      return allowed === undefined || allowed.some((each) => each.test(exposedName))
    },
  }
}

/** `*` is any text; all else is literal. */
function patternOf(glob: string): RegExp {
  const parts = glob
    .split('*')
    .map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('[^]*')}$`)
}

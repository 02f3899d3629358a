import type { JsonObject, JsonValue } from '@parley/mcp'

import type { CheckProblem } from './check-problem.ts'
import type { Check } from './check.ts'
import { readInterceptors } from './interceptors/read-interceptors.ts'
import { messageOf } from './json.ts'
import { limitsCheck } from './limits/limits.ts'
import { readLimits } from './limits/read-limits.ts'
import { patternsCheck, type PatternFinding } from './patterns/patterns.ts'
import { readPatterns } from './patterns/read-patterns.ts'
import { pinningCheck, type Pinning, type PinningOptions } from './pinning/pinning.ts'
import { readPinning } from './pinning/read-pinning.ts'
import { policyCheck, type Policy } from './policy/policy.ts'
import { readPolicy } from './policy/read-policy.ts'

/** The members of a configuration that `readChecks` reads. */
export const checkNames = ['pinning', 'policy', 'limits', 'patterns', 'interceptors'] as const

/** The checks of a configuration, in the order in which they look at requests; results pass them in reverse. */
export interface ConfiguredChecks {
  readonly checks: readonly Check[]
  /** For `explain` and the reasons of empty lists. Undefined without `policy:`. */
  readonly policy: Policy | undefined
  /** For the quarantine. Undefined without `pinning:`. */
  readonly pinning: Pinning | undefined
  /** Mistakes. What they are in is left out of `checks`: do not serve while there are any. */
  readonly problems: readonly CheckProblem[]
}

/** What the checks of a configuration need besides it. */
export interface ReadChecksOptions extends Pick<PinningOptions, 'onQuarantine' | 'onProblem'> {
  /** Where relative files are found: the folder of the configuration. @defaultValue the working directory */
  readonly folder?: string | undefined
  /** Is told what patterns found, for the log and the audit. */
  readonly onFinding?: ((finding: PatternFinding) => void) | undefined
}

/**
 * Reads the parts of a gateway's configuration that check requests: `pinning`, `policy`, `limits`, `patterns`, `interceptors`. `section` is the whole configuration or
 * any object with these members; other members are not looked at. `path` of a problem begins with the member.
 */
export function readChecks(section: JsonObject, options: ReadChecksOptions = {}): ConfiguredChecks {
  const { onFinding, folder = process.cwd() } = options
  const problems: CheckProblem[] = []
  const checks: Check[] = []
  const pinning = readWith(section['pinning'], (given) => {
    const read = readPinning(given, folder, problems)
    if (read === undefined) return undefined
    try {
      return pinningCheck({ ...read, ...options })
    } catch (error) {
      const cure = 'mend the file, or name another one'
      problems.push({ path: ['pinning', 'file'], message: messageOf(error), cure })
      return undefined
    }
  })
  if (pinning !== undefined) checks.push(pinning)
  const policy = readWith(section['policy'], (given) => {
    const read = readPolicy(given)
    problems.push(...read.problems)
    return policyCheck({ rules: read.rules })
  })
  if (policy !== undefined) checks.push(policy)
  const limits = readWith(section['limits'], (given) => readLimits(given, problems))
  if (limits !== undefined) checks.push(limitsCheck(limits))
  const patterns = readWith(section['patterns'], (given) => readPatterns(given, problems))
  if (patterns !== undefined) checks.push(patternsCheck({ ...patterns, onFinding }))
  const { onProblem } = options
  const interceptors = readWith(section['interceptors'], (given) =>
    readInterceptors(given, { folder, onProblem }, problems),
  )
  checks.push(...(interceptors ?? []))
  return { checks, policy, pinning, problems }
}

function readWith<T>(given: JsonValue | undefined, read: (given: JsonValue) => T): T | undefined {
  return given === undefined || given === null ? undefined : read(given)
}

import { openAuditLog, type AuditLog } from '@parley/foundation/audit'
import type { JsonObject, JsonValue } from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'

import { auditEvents } from '../audit/audit-events.ts'
import { auditedChecks } from '../audit/audited-checks.ts'
import { readAudit } from '../audit/read-audit.ts'
import type { checkNames } from './check-names.ts'
import type { CheckProblem } from './check-problem.ts'
import type { Check } from './check.ts'
import { readInterceptors } from './interceptors/read-interceptors.ts'
import { limitsCheck } from './limits/limits.ts'
import { readLimits } from './limits/read-limits.ts'
import { patternsCheck, type PatternFinding } from './patterns/patterns.ts'
import { readPatterns } from './patterns/read-patterns.ts'
import { pinningCheck, type Pinning, type PinningOptions } from './pinning/pinning.ts'
import { readPinning } from './pinning/read-pinning.ts'
import { policyCheck, type Policy } from './policy/policy.ts'
import { readPolicy } from './policy/read-policy.ts'

/** The checks of a configuration, in the order in which they look at requests; results pass them in reverse. */
export interface ConfiguredChecks {
  /** The checks, in order. */
  readonly checks: readonly Check[]
  /** For `explain` and the reasons of empty lists. Undefined without `policy:`. */
  readonly policy: Policy | undefined
  /** For the quarantine. Undefined without `pinning:`. */
  readonly pinning: Pinning | undefined
  /** Dispose of it to write what is queued. Undefined without `audit:`. */
  readonly audit: AuditLog | undefined
  /** How that log is read. */
  readonly auditPlace: AuditPlace | undefined
  /** Mistakes. What they are in is left out of `checks`: do not serve while there are any. */
  readonly problems: readonly CheckProblem[]
}

/** Where an audit log is, and what it takes to verify it. */
export interface AuditPlace {
  /** The file of the log. */
  readonly path: string
  /** The key that its hashes are made with; without one anybody who can write the file can forge it. */
  readonly key?: string | undefined
  /** Nothing is done that cannot be written down. */
  readonly isRequired: boolean
}

/** What the checks of a configuration need besides it. */
export interface ReadChecksOptions extends Pick<PinningOptions, 'onQuarantine' | 'onProblem'> {
  /** Where relative files are found: the folder of the configuration. @defaultValue the working directory */
  readonly folder?: string | undefined
  /** Is told what patterns found, for the log and the audit. */
  readonly onFinding?: ((finding: PatternFinding) => void) | undefined
}

/**
 * Reads the parts of a gateway's configuration that check requests: `pinning`, `policy`, `limits`, `patterns`, `interceptors`, `audit`. `section` is the whole configuration or
 * any object with these members; other members are not looked at. `path` of a problem begins with the member.
 */
export function readChecks(section: JsonObject, options: ReadChecksOptions = {}): ConfiguredChecks {
  const { onProblem, folder = process.cwd() } = options
  const problems: CheckProblem[] = []

  function read<T>(
    name: (typeof checkNames)[number],
    reader: (given: JsonValue) => T,
  ): T | undefined {
    const setting = Object.hasOwn(section, name) ? section[name] : undefined
    if (setting !== null) return setting === undefined ? undefined : reader(setting)
    // `policy:` with all its rules taken out must not mean that everything is allowed.
    problems.push({
      path: [name],
      message: `${name} is empty`,
      cure: `write what it says, or remove ${name}`,
    })
    return undefined
  }

  const auditSettings = read('audit', (setting) => readAudit(setting, folder, problems))
  const audit = auditSettings && openAuditLog({ ...auditSettings.log, onProblem })
  const events = audit && auditEvents(audit)
  const pinning = read('pinning', (setting) => {
    const settings = readPinning(setting, folder, problems)
    const onQuarantine: PinningOptions['onQuarantine'] = (...about) => {
      events?.onQuarantine(...about)
      options.onQuarantine?.(...about)
    }
    return settings && openPinning({ ...settings, onProblem, onQuarantine }, problems)
  })
  const policy = read('policy', (setting) => {
    const { rules, problems: found } = readPolicy(setting)
    problems.push(...found)
    return policyCheck({ rules })
  })
  const limits = read('limits', (setting) => limitsCheck(readLimits(setting, problems)))
  const patterns = read('patterns', (setting) => {
    const onFinding = (finding: PatternFinding) => {
      events?.onFinding(finding)
      options.onFinding?.(finding)
    }
    return patternsCheck({ ...readPatterns(setting, problems), onFinding })
  })
  const interceptors = read('interceptors', (setting) =>
    readInterceptors(setting, { folder, onProblem }, problems),
  )
  const each = [pinning, policy, limits, patterns, ...(interceptors ?? [])]
  const checks = each.filter((check) => check !== undefined)
  return {
    checks: audit === undefined ? checks : auditedChecks(checks, { ...auditSettings, log: audit }),
    policy,
    pinning,
    audit,
    auditPlace: auditSettings && {
      path: auditSettings.log.path,
      key: auditSettings.log.key,
      isRequired: auditSettings.required ?? false,
    },
    problems,
  }
}

function openPinning(options: PinningOptions, problems: CheckProblem[]): Pinning | undefined {
  try {
    return pinningCheck(options)
  } catch (error) {
    const cure = 'mend the file, or name another one'
    problems.push({ path: ['pinning', 'file'], message: errorMessage(error), cure })
    return undefined
  }
}

/**
 * Reads the sections of a gateway's configuration that check requests, and makes the checks, in the order in which requests pass
 * them; results pass them in reverse. Mistakes are reported with their path, all at once. The sections are declared in
 * `check-settings.ts`.
 */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import { openAuditLog, type AuditLog } from '@parley/foundation/audit'
import { readSettings, type SettingsFault } from '@parley/foundation/settings'
import type { JsonObject } from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'

import { auditEvents } from '../audit/audit-events.ts'
import { auditedChecks } from '../audit/audited-checks.ts'
import { checkSettings, type CheckSettings } from './check-settings.ts'
import type { Check } from './check.ts'
import { httpInterceptor } from './interceptors/http-interceptor.ts'
import { moduleInterceptor } from './interceptors/module-interceptor.ts'
import { limitsCheck } from './limits/limits.ts'
import { patternsCheck, type PatternFinding, type PatternMode } from './patterns/patterns.ts'
import { pinningCheck, type Pinning, type PinningOptions } from './pinning/pinning.ts'
import { policyCheck, type Policy } from './policy/policy.ts'
import { readPolicy } from './policy/read-policy.ts'

/** A mistake in the configuration of a check. The reader of the file adds the position of `path`. */
export type CheckProblem = SettingsFault

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
  readonly auditLocation: AuditLocation | undefined
  /** Mistakes. What they are in is left out of `checks`: do not serve while there are any. */
  readonly problems: readonly CheckProblem[]
}

/** Where an audit log is, and what it takes to verify it. */
export interface AuditLocation {
  /** The file of the log. */
  readonly path: string
  /** The key that its hashes are made with; without one anybody who can write the file can forge it. */
  readonly key?: string | undefined
  /** Nothing is done that cannot be written down. */
  readonly isRequired: boolean
}

/** Context for the checks of a configuration. */
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
  const problems: SettingsFault[] = []

  /** Null, as YAML reads a name with nothing after it, is no declared value: an empty `policy:` must not allow everything. */
  const own = (name: string): unknown => (Object.hasOwn(section, name) ? section[name] : undefined)

  const auditSettings = readSettings(checkSettings.audit, own('audit'), ['audit'], problems)
  const place = typeof auditSettings === 'string' ? { file: auditSettings } : auditSettings
  const audit =
    place &&
    openAuditLog({
      path: resolve(folder, place.file),
      fileBytes: place.size,
      files: place.files,
      sync: place.sync,
      key: place.key,
      onProblem,
    })
  const events = audit && auditEvents(audit)
  const pinned = readSettings(checkSettings.pinning, own('pinning'), ['pinning'], problems)
  const pins = typeof pinned === 'string' ? { mode: pinned } : pinned
  const pinning =
    pins &&
    openPinning(
      {
        file: resolve(folder, pins.file ?? 'parley-pins.json'),
        mode: pins.mode,
        kinds: pins.kinds,
        onProblem,
        onQuarantine(...about) {
          events?.onQuarantine(...about)
          options.onQuarantine?.(...about)
        },
      },
      problems,
    )
  const written = Object.hasOwn(section, 'policy') ? readPolicy(own('policy')) : undefined
  problems.push(...(written?.problems ?? []))
  const policy = written && policyCheck({ rules: written.rules })
  const amounts = readSettings(checkSettings.limits, own('limits'), ['limits'], problems)
  const limits =
    amounts &&
    limitsCheck({
      rate: amounts.rate,
      argumentBytes: amounts.arguments,
      resultBytes: amounts.results,
      concurrentPerCaller: amounts.concurrency,
    })
  const found = readSettings(checkSettings.patterns, own('patterns'), ['patterns'], problems)
  const patterns =
    found &&
    patternsCheck({
      secrets: modesOf(found.secrets, ['arguments', 'results']),
      pii: modesOf(found.pii, ['arguments', 'results']),
      injection: modesOf(found.injection, ['results', 'descriptions']),
      except: found.except,
      onFinding(finding) {
        events?.onFinding(finding)
        options.onFinding?.(finding)
      },
    })
  const named = readSettings(
    checkSettings.interceptors,
    own('interceptors'),
    ['interceptors'],
    problems,
  )
  const interceptors = named?.flatMap((each, index) =>
    openInterceptor(each, { index, folder, onProblem }, problems),
  )
  const each = [pinning, policy, limits, patterns, ...(interceptors ?? [])]
  const checks = each.filter((check) => check !== undefined)
  return {
    checks:
      audit === undefined
        ? checks
        : auditedChecks(checks, {
            arguments: place?.arguments,
            required: place?.required,
            log: audit,
          }),
    policy,
    pinning,
    audit,
    auditLocation: place && {
      path: resolve(folder, place.file),
      key: place.key,
      isRequired: place.required ?? false,
    },
    problems,
  }
}

function openPinning(options: PinningOptions, problems: SettingsFault[]): Pinning | undefined {
  try {
    return pinningCheck(options)
  } catch (error) {
    const fix = 'Correct the file, or name another one.'
    problems.push({ path: ['pinning', 'file'], message: errorMessage(error), fix })
    return undefined
  }
}

/** One mode for all places, or one for each. */
function modesOf<Place extends string>(
  modes: PatternMode | { readonly [Each in Place]?: PatternMode | undefined } | undefined,
  places: readonly Place[],
): { readonly [Each in Place]?: PatternMode | undefined } | undefined {
  if (typeof modes !== 'string') return modes
  // One entry for each of the places.
  return Object.fromEntries(places.map((place) => [place, modes])) as {
    [Each in Place]?: PatternMode
  }
}

type InterceptorSettings = NonNullable<CheckSettings['interceptors']>[number]

function openInterceptor(
  { module, url, name, failMode, timeout, stages, headers, answer }: InterceptorSettings,
  given: { readonly index: number; readonly folder: string } & Pick<ReadChecksOptions, 'onProblem'>,
  problems: SettingsFault[],
): readonly Check[] {
  const { index, folder, onProblem } = given
  const options = {
    name: name ?? `${index + 1}`,
    failMode,
    timeoutMs: timeout,
    stages: (['before', 'after'] as const).filter((stage) => stages?.includes(stage) ?? true),
    onProblem,
  }
  if (url !== undefined) return [httpInterceptor({ ...options, url, headers, answerBytes: answer })]
  const path = resolve(folder, module ?? '')
  if (existsSync(path)) return [moduleInterceptor({ ...options, module: path })]
  problems.push({
    path: ['interceptors', index, 'module'],
    message: `does not exist: ${path}`,
    fix: 'Write where the module is, from the folder of this file.',
  })
  return []
}

import type { Evidence } from '../check.ts'
import { missingFor, type OfferedNames } from './wanted-names.ts'

/** One check as the suite writes it down. */
export interface SuiteCheck {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly description?: string
  readonly errorMessage?: string
  readonly specReferences?: readonly { readonly url?: string }[]
  readonly details?: { readonly untestable?: boolean }
}

/** A scenario of the suite at one revision, and what came of it. */
export interface Scenario {
  readonly scenario: string
  readonly revision: string
  /** Whether the revision requires it; the rest is run and not counted. */
  readonly isRequired: boolean
  readonly verdict: ScenarioVerdict
}

export type ScenarioVerdict =
  | { readonly kind: 'kept'; readonly checks: number }
  | { readonly kind: 'skipped'; readonly why: string }
  | { readonly kind: 'broken'; readonly broken: readonly BrokenCheck[] }

/** One check of a scenario that failed. */
export interface BrokenCheck extends Pick<Evidence, 'seen'> {
  readonly id: string
  readonly level: 'MUST' | 'SHOULD'
  readonly rule: string
  readonly reference?: string | undefined
}

/** Every scenario has it, also one that finds nothing of what it is about. */
const schemaCheck = 'wire-schema-valid'

/** What a scenario shows, given what the server offers of the things that only the suite asks for. */
export function judgeScenario(
  scenario: string,
  checks: readonly SuiteCheck[],
  offered: OfferedNames | undefined,
): ScenarioVerdict {
  const broken: BrokenCheck[] = []
  const excuses: string[] = []
  for (const check of checks) {
    if (check.status !== 'FAILURE' && check.status !== 'WARNING') continue
    const excuse = excuseFor(scenario, check, offered)
    if (excuse === undefined) broken.push(brokenCheck(check))
    else excuses.push(excuse)
  }
  if (broken.length > 0) return { kind: 'broken', broken }
  const passed = checks.filter(({ status }) => status === 'SUCCESS')
  // A refusal of what is not there can look like what was expected.
  const missing = offered && missingFor(scenario, offered)
  if (missing !== undefined) return { kind: 'skipped', why: `the server has no ${missing}` }
  if (passed.some(({ id }) => id !== schemaCheck)) return { kind: 'kept', checks: passed.length }
  const [why = checks[0]?.errorMessage ?? 'the suite checked nothing'] = excuses
  return { kind: 'skipped', why }
}

/** Why a check that failed says nothing about this server. */
function excuseFor(
  scenario: string,
  { id, details, errorMessage }: SuiteCheck,
  offered: OfferedNames | undefined,
): string | undefined {
  if (id === schemaCheck) return undefined
  const missing = offered && (missingFor(scenario, offered) ?? missingFor(id, offered))
  if (missing !== undefined) return `the server has no ${missing}`
  return details?.untestable === true ? (errorMessage ?? 'it cannot be tried') : undefined
}

function brokenCheck(check: SuiteCheck): BrokenCheck {
  const { id, status, description = id, errorMessage = status, specReferences = [] } = check
  return {
    id,
    level: status === 'FAILURE' ? 'MUST' : 'SHOULD',
    rule: description,
    seen: errorMessage,
    reference: specReferences[0]?.url,
  }
}

/**
 * The check that looks for secrets, personal data and instructions to models in arguments, results and descriptions, and warns,
 * redacts or rejects. A finding never holds the text itself. The patterns are in the files beside it.
 */

import { scanForInjection } from '@parley/foundation/text-safety'
import { scanText, type Scan } from '@parley/foundation/text-safety'
import type { JsonObject } from '@parley/mcp'

import type { Check, CheckedRequest, Rejection, Subject } from '../check.ts'
import { piiPatterns } from './pii-patterns.ts'
import { secretPatterns } from './secret-patterns.ts'
import { mapTexts } from './walk-texts.ts'

/** The reaction to a finding: none, a report, redaction, or rejecting the request. */
export type PatternMode = 'off' | 'warn' | 'redact' | 'refuse'

/** Where texts come from. */
export type PatternLocation = 'arguments' | 'results' | 'descriptions'

/** Something that was found. It never holds the text itself. */
export interface PatternFinding {
  readonly kind: 'secrets' | 'pii' | 'injection'
  readonly place: PatternLocation
  /** The names of what was found, each once. */
  readonly found: readonly string[]
  readonly subject: Subject
  /** The caller of the request; absent for a definition. */
  readonly principal?: string | undefined
  readonly mode: PatternMode
}

/** The patterns, and the reaction to each. */
export interface PatternsOptions {
  /** @defaultValue warn */
  readonly secrets?:
    | { readonly arguments?: PatternMode | undefined; readonly results?: PatternMode | undefined }
    | undefined
  /** @defaultValue off */
  readonly pii?:
    | { readonly arguments?: PatternMode | undefined; readonly results?: PatternMode | undefined }
    | undefined
  /**
   * `descriptions` are those of tools, prompts and resources, where nothing can be taken out (`redact` is `warn`), and the
   * instructions of servers, which `refuse` leaves out. @defaultValue warn
   */
  readonly injection?:
    | {
        readonly results?: PatternMode | undefined
        readonly descriptions?: PatternMode | undefined
      }
    | undefined
  /** Tools, prompts and resources that are not looked at, by the names clients use, and servers whose instructions are not. */
  readonly except?: readonly string[] | undefined
  readonly onFinding?: ((finding: PatternFinding) => void) | undefined
}

/** Looks for secrets, data about persons and instructions to models in what passes. */
export function patternsCheck(options: PatternsOptions): Check {
  const { secrets = {}, pii = {}, injection = {}, onFinding = () => undefined } = options
  const except = new Set(options.except)
  const descriptions = injection.descriptions ?? 'warn'
  const inArguments = used([
    { kind: 'secrets', mode: secrets.arguments ?? 'warn', scan: scanForSecrets },
    { kind: 'pii', mode: pii.arguments ?? 'off', scan: scanForPii },
  ])
  const inResults = used([
    { kind: 'secrets', mode: secrets.results ?? 'warn', scan: scanForSecrets },
    { kind: 'pii', mode: pii.results ?? 'off', scan: scanForPii },
    { kind: 'injection', mode: injection.results ?? 'warn', scan: scanForInjection },
  ])
  /** Findings by definition: definitions do not change, and lists are requested often. */
  const definitions = new WeakMap<object, readonly string[]>()

  function inspect(
    request: CheckedRequest,
    value: JsonObject,
    location: PatternLocation,
    scanners: readonly Scanner[],
  ): JsonObject | Rejection | undefined {
    if (except.has(request.subject.exposedName)) return undefined
    let redactedValue = value
    for (const { kind, mode, scan } of scanners) {
      const { found, changed } = scanValue(redactedValue, scan)
      if (found.length === 0) continue
      const { subject, caller } = request
      onFinding({ kind, place: location, found, subject, principal: caller.principal, mode })
      if (mode === 'refuse') return rejection(kind, location, found, subject)
      if (mode === 'redact') redactedValue = changed
    }
    return redactedValue === value ? undefined : redactedValue
  }

  /** Instructions go to every client, so that each text is looked at once. */
  const instructions = new Map<string, string | undefined>()

  function inspectInstructions(upstream: string, text: string): string | undefined {
    if (descriptions === 'off' || except.has(upstream)) return text
    const key = `${upstream} ${text}`
    if (instructions.has(key)) return instructions.get(key)
    const { found, redacted } = scanForInjection(text)
    const stored =
      descriptions === 'redact' ? redacted : descriptions === 'refuse' ? undefined : text
    const shown = found.length === 0 ? text : stored
    if (instructions.size >= maxInstructions) instructions.clear()
    instructions.set(key, shown)
    if (found.length > 0) {
      const exposedName = `instructions of ${upstream}`
      const subject: Subject = { kind: 'prompt', upstream, name: 'instructions', exposedName }
      onFinding({ kind: 'injection', place: 'descriptions', found, subject, mode: descriptions })
    }
    return shown
  }

  function findInDefinition(subject: Subject): readonly string[] {
    const { definition } = subject
    if (definition === undefined || descriptions === 'off' || except.has(subject.exposedName))
      return []
    const cached = definitions.get(definition)
    if (cached !== undefined) return cached
    const { found } = scanValue(definition as JsonObject, scanForInjection) // it came as JSON
    definitions.set(definition, found)
    if (found.length > 0) {
      onFinding({ kind: 'injection', place: 'descriptions', found, subject, mode: descriptions })
    }
    return found
  }

  return {
    name: 'patterns',
    instructions: inspectInstructions,
    shows: (_, subject) => findInDefinition(subject).length === 0 || descriptions !== 'refuse',
    before(request) {
      const found = findInDefinition(request.subject)
      if (found.length > 0 && descriptions === 'refuse') {
        return rejection('injection', 'descriptions', found, request.subject)
      }
      return inspect(request, request.arguments, 'arguments', inArguments)
    },
    after: (request, result) => inspect(request, result, 'results', inResults),
  }
}

interface Scanner {
  readonly kind: PatternFinding['kind']
  readonly mode: PatternMode
  readonly scan: (text: string) => Scan
}

function used(scanners: readonly Scanner[]): readonly Scanner[] {
  return scanners.filter(({ mode }) => mode !== 'off')
}

function scanForSecrets(text: string): Scan {
  return scanText(text, secretPatterns)
}

function scanForPii(text: string): Scan {
  return scanText(text, piiPatterns)
}

function scanValue(
  value: JsonObject,
  scan: (text: string) => Scan,
): { readonly found: readonly string[]; readonly changed: JsonObject } {
  const found = new Set<string>()
  const poll = (text: string) => {
    if (text.length < minTextLength) return text
    const { found: names, redacted } = scan(text)
    for (const name of names) found.add(name)
    return redacted
  }
  const changed = mapTexts(value, poll, () => found.add('values nested too deep to be looked at'))
  return { found: [...found], changed }
}

/** Servers say the same for as long as they run. */
const maxInstructions = 1_000

/** Nothing that is looked for is shorter. */
const minTextLength = 6

const locations = {
  arguments: 'the arguments of',
  results: 'the result of',
  descriptions: 'the definition of',
} as const satisfies { readonly [Place in PatternLocation]: string }

function rejection(
  kind: PatternFinding['kind'],
  location: PatternLocation,
  found: readonly string[],
  { exposedName }: Subject,
): Rejection {
  const where = `${locations[location]} ${JSON.stringify(exposedName.slice(0, 200))}`
  const fix =
    location === 'arguments'
      ? 'leave it out and try again'
      : `the operator of this gateway can change patterns.${kind}, or except this name`
  return {
    rejected: true,
    rule: `patterns: ${kind} in ${location}`,
    message: `${where} may contain: ${found.join(', ')}. ${fix[0]?.toUpperCase()}${fix.slice(1)}`,
  }
}

/**
 * The check that decides by rules who may use what. A rule that denies wins over any that allows; with rules that allow, one of them
 * has to be true. A rule that cannot be evaluated never lets a request through.
 *
 * Expressions are compiled and run by the files beside it; `policy-values.ts` has their variables. `explain` shows every step of a
 * decision.
 */

import {
  compileArgument,
  compileExpression,
  compileGlob,
  isProblem,
  isGlobProblem,
  readArguments,
  type ArgumentPattern,
  type CelArguments,
  type Expression,
  type Verdict,
} from '@parley/foundation/rules'
import type { JsonObject, JsonValue } from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'

import type { Caller, Check, CheckedRequest, Subject } from '../check.ts'
import { policyLanguage } from './policy-language.ts'
import { PolicyValues, requireCanonical } from './policy-values.ts'

/** A rule: what it says about the requests that fit `server`, `tool` and `args`, and for which `when` is true. */
export interface PolicyRule {
  /** Stands in refusals, the audit and `explain`. @defaultValue `rule N` */
  readonly name?: string | undefined
  /** Servers it is about, as a pattern. @defaultValue all */
  readonly server?: string | undefined
  /** Tools it is about, by the names that their servers have for them, as a pattern. @defaultValue everything */
  readonly tool?: string | undefined
  /** Patterns for arguments, by name. */
  readonly args?: { readonly [argument: string]: JsonValue } | undefined
  /** A CEL expression on `caller`, `jwt`, `client`, `tool`, `server`, `mcp`, `args`, `upstream`, `time`. */
  readonly when?: string | undefined
  /** @defaultValue 'allow' */
  readonly decision?: 'allow' | 'deny' | undefined
}

/** Rules of a policy. */
export interface PolicyOptions {
  /** An expression alone is a rule that allows. */
  readonly rules: readonly (string | PolicyRule)[]
  /** @defaultValue the clock */
  readonly now?: (() => Date) | undefined
}

/** The result of one rule. */
export interface PolicyStep {
  /** The name of the rule, or its place in the file. */
  readonly rule: string
  /** The decision if the rule applies. */
  readonly decision: 'allow' | 'deny'
  /** Its conditions, as written. */
  readonly when: string
  /** `depends`: for a list, nobody knows without the arguments. */
  readonly result: Verdict['is']
  /** Why it could not be evaluated. */
  readonly error?: string | undefined
}

/** A decision, and how it came about. */
export interface PolicyExplanation {
  /** The decision. */
  readonly decision: 'allow' | 'deny'
  /** The rule that decided: its name, `no rule allows it`, or `no rule denies it` where all rules deny. */
  readonly rule: string
  /** Every rule that was looked at, in order. */
  readonly trace: readonly PolicyStep[]
  /** One sentence for the caller. */
  readonly message: string
}

/** A policy as a check, and its reasons. */
export interface Policy extends Check {
  /** All rules, in the order of the configuration. */
  readonly rules: readonly Pick<PolicyStep, 'rule' | 'decision' | 'when'>[]
  /** Evaluates a request rule by rule. Has no side effects. */
  explain(
    request: Pick<CheckedRequest, 'caller' | 'method' | 'subject' | 'arguments'>,
  ): PolicyExplanation
  /** The same for an entry of a list, where arguments are not known yet. */
  explainListing(caller: Caller, subject: Subject): PolicyExplanation
}

/**
 * Decides by rules who may use what. A rule that denies wins over any that allows. With rules that allow, one of them has
 * to be true; with none, what is not denied is allowed. A rule that cannot be evaluated never lets anything through.
 */
export function policyCheck({ rules, now = () => new Date() }: PolicyOptions): Policy {
  const compiled = rules.map(compileRule)
  // Rules that deny are evaluated first, and are final.
  const denying = compiled.filter(({ decision }) => decision === 'deny')
  const allowing = compiled.filter(({ decision }) => decision === 'allow')
  const usesResources = compiled.some(({ expression }) => expression?.uses('mcp.resource'))
  const usesArguments = compiled.some(({ expression }) => expression?.uses('args'))

  function valuesOf(
    caller: Caller,
    method: string,
    subject: Subject,
    args?: CelArguments,
  ): PolicyValues {
    if (usesResources) requireCanonical(subject)
    return new PolicyValues(caller, method, subject, { args: args?.value, now })
  }

  function decide(values: PolicyValues, asked: Asked): Decision {
    const trace: PolicyStep[] = []
    for (const rule of denying) {
      const step = ask(rule, values, asked)
      trace.push(step)
      if (step.result === 'true' || step.result === 'error')
        return { decision: 'deny', rule: step.rule, trace }
    }
    if (allowing.length === 0) return { decision: 'allow', rule: 'no rule denies it', trace }
    for (const rule of allowing) {
      const step = ask(rule, values, asked)
      trace.push(step)
      if (step.result === 'true' || step.result === 'depends') {
        return { decision: 'allow', rule: step.rule, trace }
      }
    }
    return { decision: 'deny', rule: 'no rule allows it', trace }
  }

  function explainListing(caller: Caller, subject: Subject): PolicyExplanation {
    const method = methods[subject.kind]
    return guarded(method, subject, () => decide(valuesOf(caller, method, subject), { subject }))
  }

  function explain({
    caller,
    method,
    subject,
    arguments: shownArguments,
  }: Parameters<Policy['explain']>[0]): PolicyExplanation {
    return guarded(method, subject, () => {
      const args = usesArguments ? readArguments(shownArguments) : noArguments
      const values = valuesOf(caller, method, subject, args)
      return decide(values, { subject, args, shownArguments })
    })
  }

  return {
    name: 'policy',
    rules: compiled.map(({ name: rule, decision, when }) => ({ rule, decision, when })),
    explain,
    explainListing,
    shows: (caller, subject) => explainListing(caller, subject).decision === 'allow',
    before(request) {
      const { decision, rule, message } = explain(request)
      return decision === 'allow' ? undefined : { rejected: true, rule: `policy: ${rule}`, message }
    },
  }
}

interface CompiledRule {
  readonly name: string
  readonly decision: 'allow' | 'deny'
  readonly when: string
  readonly expression: Expression | undefined
  fits(asked: Asked): 'true' | 'false' | 'depends'
}

/** What a rule is asked about. Without arguments it is an entry of a list. */
interface Asked {
  readonly subject: Subject
  readonly args?: CelArguments
  readonly shownArguments?: JsonObject
}

type Decision = Omit<PolicyExplanation, 'message'>

const noArguments: CelArguments = { value: new Map(), values: 0, characters: 0 }

/** An entry of a list is judged by what one would do with it. */
const methods = {
  tool: 'tools/call',
  prompt: 'prompts/get',
  resource: 'resources/read',
  resourceTemplate: 'resources/read',
} as const satisfies { readonly [Kind in Subject['kind']]: string }

/** A rule that can be asked, or what is wrong with it. */
export type CompiledPolicyRule =
  | { readonly ok: true; readonly rule: CompiledRule }
  | {
      readonly ok: false
      readonly at: 'server' | 'tool' | 'args' | 'when'
      readonly message: string
      readonly fix: string
    }

/** Compiles a rule; `index` is its place among the others. */
export function compilePolicyRule(
  definition: string | PolicyRule,
  index: number,
): CompiledPolicyRule {
  const rule: PolicyRule = typeof definition === 'string' ? { when: definition } : definition
  const { name = `rule ${index + 1}`, when, decision = 'allow', server = '*', tool } = rule
  const servers = compileGlob(server)
  if (isGlobProblem(servers)) return { ok: false, at: 'server', ...servers }
  const tools = compileGlob(tool ?? '*')
  if (isGlobProblem(tools)) return { ok: false, at: 'tool', ...tools }
  const patterns: ArgumentPattern[] = []
  for (const [argument, wanted] of Object.entries(rule.args ?? {})) {
    const pattern = compileArgument(argument, wanted)
    if (isProblem(pattern)) return { ok: false, at: 'args', ...pattern }
    patterns.push(pattern)
  }
  const compiled = when === undefined ? undefined : compileExpression(when, policyLanguage)
  if (compiled?.ok === false) return { ...compiled, at: 'when' }
  // As in a host: what allows has to be sure, what denies does not.
  const isStrict = decision === 'allow'
  const fits: CompiledRule['fits'] = ({ subject, shownArguments }) => {
    const { kind, name: own, exposedName, upstream } = subject
    if (!(isStrict ? servers.matches(upstream) : servers.catches(upstream))) return 'false'
    if (tool !== undefined) {
      if (kind !== 'tool') return 'false'
      const names = isStrict ? [own] : [own, exposedName]
      if (!names.some((each) => (isStrict ? tools.matches(each) : tools.catches(each))))
        return 'false'
    }
    if (patterns.length === 0) return 'true'
    if (shownArguments === undefined) return 'depends'
    const isFitting = patterns.every((each) =>
      isStrict ? each.allows(shownArguments) : each.catches(shownArguments),
    )
    return isFitting ? 'true' : 'false'
  }
  const parts = Object.entries({ server: rule.server, tool, args: rule.args }).flatMap(
    ([part, value]) => (value === undefined ? [] : [`${part}: ${JSON.stringify(value)}`]),
  )
  const written =
    parts.length === 0 ? [when ?? ''] : [...parts, ...(when === undefined ? [] : [when])]
  return {
    ok: true,
    rule: { name, decision, when: written.join(', '), expression: compiled?.expression, fits },
  }
}

function compileRule(definition: string | PolicyRule, index: number): CompiledRule {
  const compiled = compilePolicyRule(definition, index)
  if (compiled.ok) return compiled.rule
  throw new TypeError(`policy rule ${index + 1}: ${compiled.message}. ${compiled.fix}`)
}

function ask(rule: CompiledRule, values: PolicyValues, asked: Asked): PolicyStep {
  const evaluated = verdictOf(rule, values, asked)
  const step = { rule: rule.name, decision: rule.decision, when: rule.when, result: evaluated.is }
  return evaluated.is === 'error' ? { ...step, error: evaluated.error } : step
}

function verdictOf(
  { fits, expression }: CompiledRule,
  values: PolicyValues,
  asked: Asked,
): Verdict {
  const fit = fits(asked)
  if (fit === 'false' || expression === undefined) return { is: fit }
  const verdict = expression.evaluate(values, asked.args)
  return verdict.is === 'true' ? { is: fit } : verdict
}

/** What cannot be looked at is refused, with the reason. */
function guarded(
  method: string,
  { exposedName }: Subject,
  decide: () => Decision,
): PolicyExplanation {
  const what = `${method} of ${JSON.stringify(exposedName.slice(0, 200))}`
  try {
    const decision = decide()
    return { ...decision, message: sentenceOf(what, decision) }
  } catch (error) {
    const why = errorMessage(error)
    const rule = 'the request cannot be checked'
    return { decision: 'deny', rule, trace: [], message: `the policy refuses ${what}: ${why}` }
  }
}

function sentenceOf(what: string, { decision, rule, trace }: Decision): string {
  if (decision === 'allow') return `the policy allows ${what}: ${rule}`
  const last = trace.at(-1)
  if (last?.decision === 'deny') {
    const why = last.error === undefined ? '' : `, which cannot be evaluated: ${last.error}`
    return `the policy refuses ${what} by "${last.rule}"${why}`
  }
  const errors = trace.flatMap(({ rule: name, error }) =>
    error === undefined ? [] : [`"${name}": ${error}`],
  )
  const because = errors.length === 0 ? '' : ` (${errors.slice(0, 3).join('; ')})`
  return `the policy refuses ${what}: ${rule}${because}. Ask the operator of this gateway for access`
}

/**
 * Expressions of rules, in the Common Expression Language: the only set-up of CEL in the programs around the SDK.
 *
 * Hosts and gateways have one language with different variables, which they pass as a `Language`. Mistakes are found when an
 * expression is compiled. No expression takes long: patterns of `matches()` run in linear time, and loops are bounded.
 */

import { Environment, type ParseResult } from '@marcbachmann/cel-js'
import { compileLinearPattern } from '@parley/mcp/json'

import { didYouMean } from '../command-line/did-you-mean.ts'
import type { CelArguments } from './cel-values.ts'
import { shapeOf, type Vocabulary } from './expression-shape.ts'

/** The variables of a kind of rule. */
export interface Language {
  /** Its variables with their members. `args` are the arguments of the call. */
  readonly vocabulary: Vocabulary
  /** Types of variables that are not of any type. */
  readonly types?: { readonly [variable: string]: string } | undefined
  /** An expression in it, for messages. */
  readonly example: string
}

/** The result of an expression for a request. `depends`: it cannot be decided without the arguments. */
export type Verdict =
  | {
      /** It could be evaluated. */
      readonly is: 'true' | 'false' | 'depends'
    }
  | {
      /** It could not be evaluated. */
      readonly is: 'error'
      /** Why. */
      readonly error: string
    }

/** A compiled expression. */
export interface Expression {
  /** Whether it looks at a variable, or at a member of it: `args`, `mcp.resource`. */
  uses(variable: string): boolean
  /** Without arguments for an entry of a list: those of `values`, and how large they are. Never throws. */
  evaluate(values: object, args: CelArguments | undefined): Verdict
}

/** An expression, or what is wrong with it. */
export type Compiled =
  | {
      /** It can be used. */
      readonly ok: true
      /** The expression. */
      readonly expression: Expression
    }
  | {
      /** It cannot be used. */
      readonly ok: false
      /** The problem. */
      readonly message: string
      /** The text to write instead. */
      readonly fix: string
    }

const maxExpressionLength = 4_000
const maxLoops = 2
/** Steps of loops over arguments, weighed by the texts in them: some ten milliseconds. */
const maxSteps = 1_000_000

/** Compiles an expression once; mistakes in it are told with their column. */
export function compileExpression(source: string, language: Language): Compiled {
  if (source.length > maxExpressionLength) {
    return failed(
      `the expression has ${source.length} characters`,
      `Write at most ${maxExpressionLength}, or several rules.`,
    )
  }
  const environment = createEnvironment(language)
  const first = parse(environment, source, language)
  if (!first.ok) return first
  const { vocabulary } = language
  const shape = shapeOf(first.parsed.ast, source, vocabulary)
  if (shape.unknownMember !== undefined) {
    const { of, name, known } = shape.unknownMember
    return failed(`${of} has no member "${name}"`, meantOrKnown(name, known))
  }
  if (shape.loops > maxLoops) {
    return failed(
      `${shape.loops} loops stand inside each other`,
      `Use at most ${maxLoops}: time grows with the power of their number.`,
    )
  }
  const patterns = new Map<string, (text: string) => boolean>()
  for (const { pattern } of shape.matches) {
    if (pattern === undefined) {
      return failed(
        'matches() has a pattern that is not plain text',
        'Write it as "…" in the rule.',
      )
    }
    const compiled = compileLinearPattern(pattern)
    if (!compiled.ok) {
      return failed(
        `the pattern "${pattern}" ${compiled.reason}`,
        'Write it without: patterns run in linear time.',
      )
    }
    patterns.set(pattern, compiled.test)
  }
  environment.registerFunction(
    'string.matchesLinear(string): bool',
    (text: string, pattern: string) => patterns.get(pattern)?.(text) ?? false,
  )
  const second = parse(
    environment,
    replaceMatches(
      source,
      shape.matches.map(({ at }) => at),
    ),
    language,
  )
  if (!second.ok || shapeOf(second.parsed.ast, source, vocabulary).matches.length > 0) {
    return failed('matches() is ambiguous here', 'Put no comment between a value and .matches.')
  }
  return { ok: true, expression: createExpression(second.parsed, shape) }
}

function createExpression(
  parsed: ParseResult,
  { variables, loops }: { readonly variables: ReadonlySet<string>; readonly loops: number },
): Expression {
  const uses = (variable: string): boolean =>
    [...variables].some(
      (each) =>
        each === variable || each.startsWith(`${variable}.`) || variable.startsWith(`${each}.`),
    )
  const usesArguments = uses('args')
  return {
    uses,
    evaluate(values, args) {
      if (usesArguments && args !== undefined && loops > 0) {
        const steps = args.values ** loops * Math.max(1, args.characters / 1_000)
        if (steps > maxSteps)
          return { is: 'error', error: 'the arguments are too large for its loops' }
      }
      try {
        const value: unknown = parsed(values)
        if (typeof value === 'boolean') return { is: value ? 'true' : 'false' }
        return { is: 'error', error: 'it gave neither true nor false' }
      } catch (error) {
        // `args` is the one variable that may be absent; && and || have looked at their other side by now.
        if (args === undefined && usesArguments && isUnknownVariable(error))
          return { is: 'depends' }
        return { is: 'error', error: summaryOf(error) }
      }
    },
  }
}

function createEnvironment({ vocabulary, types = {} }: Language): Environment {
  const environment = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits: {
      maxAstNodes: 1_000,
      maxDepth: 60,
      maxListElements: 1_000,
      maxMapEntries: 200,
      maxCallArguments: 8,
    },
  })
  for (const name of Object.keys(vocabulary)) {
    environment.registerVariable(name, types[name] ?? 'dyn')
  }
  return environment
}

function parse(
  environment: Environment,
  source: string,
  language: Language,
): { readonly ok: true; readonly parsed: ParseResult } | Extract<Compiled, { ok: false }> {
  try {
    const parsed = environment.parse(source)
    // The shape is read from what was written: checking may rewrite it.
    const { valid, type, error } = environment.check(source)
    if (!valid) return mistake(error, language)
    if (type !== 'bool' && type !== 'dyn') {
      return failed(
        `the expression gives ${type ?? 'nothing'}`,
        'It must give true or false. Compare it with something, as in args.count > 10.',
      )
    }
    return { ok: true, parsed }
  } catch (error) {
    return mistake(error, language)
  }
}

function mistake(
  error: unknown,
  { vocabulary, example }: Language,
): Extract<Compiled, { ok: false }> {
  const summary = summaryOf(error)
  const at =
    error instanceof Error && 'range' in error && isRange(error.range)
      ? ` at column ${error.range.start + 1}`
      : ''
  if (!isUnknownVariable(error)) {
    return failed(`${summary}${at}`, `Write a CEL expression, for example: ${example}.`)
  }
  const name = /: (.+)$/.exec(summary)?.[1] ?? ''
  return failed(`${summary}${at}`, meantOrKnown(name, Object.keys(vocabulary)))
}

function meantOrKnown(name: string, known: readonly string[]): string {
  const meant = didYouMean(name, known)
  return meant === undefined ? `Use ${known.join(', ')}.` : `Did you mean "${meant}"?`
}

function failed(message: string, fix: string): Extract<Compiled, { ok: false }> {
  return { ok: false, message, fix }
}

/** From the end, so that positions before it stay right. */
function replaceMatches(source: string, positions: readonly number[]): string {
  return positions
    .toSorted((a, b) => b - a)
    .reduce(
      (text, at) => `${text.slice(0, at)}matchesLinear${text.slice(at + 'matches'.length)}`,
      source,
    )
}

function isUnknownVariable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'unknown_variable'
}

function summaryOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text =
    'summary' in error && typeof error.summary === 'string' ? error.summary : error.message
  return text.split('\n', 1)[0]?.slice(0, 200) ?? ''
}

function isRange(value: unknown): value is { readonly start: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'start' in value &&
    typeof value.start === 'number'
  )
}

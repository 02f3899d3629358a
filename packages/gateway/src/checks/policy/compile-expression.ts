import { Environment, type ParseResult } from '@marcbachmann/cel-js'
import { compileLinearPattern } from '@parley/mcp/json'

import { shapeOf, type ExpressionShape } from './expression-shape.ts'
import { policyMembers } from './policy-members.ts'
import type { CelArguments, PolicyValues } from './policy-values.ts'

/** What an expression says of a request. `depends`: nobody knows without the arguments. */
export type Verdict =
  | { readonly is: 'true' | 'false' | 'depends' }
  | { readonly is: 'error'; readonly error: string }

/** A compiled expression. */
export interface Expression {
  readonly usesArguments: boolean
  /** Whether it looks at `mcp.resource`. */
  readonly usesResources: boolean
  /** Without arguments for an entry of a list: those of `values`, and how large they are. Never throws. */
  evaluate(values: PolicyValues, args: CelArguments | undefined): Verdict
}

/** An expression, or what is wrong with it. */
export type Compiled =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly message: string; readonly cure: string }

const maxExpressionLength = 4_000
const maxLoops = 2
/** Steps of loops over arguments, weighed by the texts in them: some ten milliseconds. */
const maxSteps = 1_000_000

/** Compiles an expression once; mistakes in it are told with their column. */
export function compileExpression(source: string): Compiled {
  if (source.length > maxExpressionLength) {
    return failed(
      `the expression has ${source.length} characters`,
      `write at most ${maxExpressionLength}, or several rules`,
    )
  }
  const environment = createEnvironment()
  const first = parse(environment, source)
  if (!first.ok) return first
  const shape = shapeOf(first.parsed.ast, source)
  if (shape.unknownMember !== undefined) {
    const { of, name, known } = shape.unknownMember
    return failed(`${of} has no member "${name}"`, `use one of ${known.join(', ')}`)
  }
  if (shape.loops > maxLoops) {
    return failed(
      `${shape.loops} loops stand inside each other`,
      `use at most ${maxLoops}: time grows with the power of their number`,
    )
  }
  const patterns = new Map<string, (text: string) => boolean>()
  for (const { pattern } of shape.matches) {
    if (pattern === undefined) {
      return failed('matches() has a pattern that is no plain text', 'write it as "…" in the rule')
    }
    const compiled = compileLinearPattern(pattern)
    if (!compiled.ok) {
      return failed(
        `the pattern "${pattern}" ${compiled.reason}`,
        'write it without: patterns run in linear time',
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
  )
  if (!second.ok || shapeOf(second.parsed.ast, source).matches.length > 0) {
    return failed(
      'matches() cannot be told apart here',
      'put no comment between a value and .matches',
    )
  }
  return { ok: true, expression: createExpression(second.parsed, shape) }
}

function createExpression(
  parsed: ParseResult,
  { usesArguments, usesResources, loops }: ExpressionShape,
): Expression {
  return {
    usesArguments,
    usesResources,
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

function createEnvironment(): Environment {
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
  for (const name of Object.keys(policyMembers)) {
    environment.registerVariable(name, types[name] ?? 'dyn')
  }
  return environment
}

const types: { readonly [name: string]: string } = {
  upstream: 'string',
  time: 'google.protobuf.Timestamp',
}

function parse(
  environment: Environment,
  source: string,
): { readonly ok: true; readonly parsed: ParseResult } | Extract<Compiled, { ok: false }> {
  try {
    const parsed = environment.parse(source)
    // The shape is read from what was written: checking may rewrite it.
    const { valid, type, error } = environment.check(source)
    if (!valid) return mistake(error)
    if (type !== 'bool' && type !== 'dyn') {
      return failed(
        `the expression gives ${type ?? 'nothing'}`,
        'it must give true or false: compare it with something',
      )
    }
    return { ok: true, parsed }
  } catch (error) {
    return mistake(error)
  }
}

function mistake(error: unknown): Extract<Compiled, { ok: false }> {
  const at =
    error instanceof Error && 'range' in error && isRange(error.range)
      ? ` at column ${error.range.start + 1}`
      : ''
  const cure = isUnknownVariable(error)
    ? `use ${Object.keys(policyMembers).join(', ')}`
    : 'write a CEL expression, for example: mcp.tool.annotations.readOnlyHint'
  return failed(`${summaryOf(error)}${at}`, cure)
}

function failed(message: string, cure: string): Extract<Compiled, { ok: false }> {
  return { ok: false, message, cure }
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

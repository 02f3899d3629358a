import { Environment, type ASTNode, type ParseResult } from '@marcbachmann/cel-js'
import { didYouMean } from '@parley/foundation/command-line'
import type { JsonObject } from '@parley/mcp'

/** The values that a `when` may use. */
export interface ConditionInput {
  readonly flow: { readonly untrusted: boolean; readonly private: boolean }
  readonly tool: { readonly name: string } & ToolClaims
  readonly server: { readonly name: string; readonly trusted: boolean }
  readonly call: { readonly by: string }
  readonly args: JsonObject
}

/** The hints that a server declares for a tool. */
export interface ToolClaims {
  readonly readOnly: boolean
  readonly destructive: boolean
  readonly idempotent: boolean
  readonly openWorld: boolean
}

/** A `when` in the Common Expression Language. */
export interface Condition {
  /** Undefined if it cannot be decided, for example because an argument is missing. */
  holds(input: ConditionInput): boolean | undefined
  /** It speaks of what the conversation has read. */
  readonly knowsFlow: boolean
}

/** Why a condition cannot be used. */
export interface ConditionFault {
  readonly message: string
  readonly fix: string
}

const words = {
  flow: { untrusted: 'bool', private: 'bool' },
  tool: {
    name: 'string',
    readOnly: 'bool',
    destructive: 'bool',
    idempotent: 'bool',
    openWorld: 'bool',
  },
  server: { name: 'string', trusted: 'bool' },
  call: { by: 'string' },
} as const

const maxConditionLength = 2_000

/** Compiles a condition. Names that do not exist, and conditions that are no yes or no, are faults. */
export function compileCondition(text: string): Condition | ConditionFault {
  if (text.length > maxConditionLength) {
    const message = `is ${text.length} characters long`
    return { message, fix: `Use at most ${maxConditionLength}, or several rules.` }
  }
  const { valid, type, error } = environment().check(text)
  if (!valid) return faultOf(error?.code, error?.summary ?? 'cannot be read')
  if (type !== 'bool' && type !== 'dyn') {
    return {
      message: `is not true or false but ${type}`,
      fix: 'Compare it with something, as in args.count > 10.',
    }
  }
  const expression = environment().parse(text)
  const isCall = ({ op, args }: ASTNode) =>
    (op === 'call' || op === 'rcall') && args[0] === 'matches'
  if (holdsNode(expression.ast, isCall)) {
    return {
      message: 'uses matches(), which one text can keep busy for hours',
      fix: 'Use startsWith, endsWith, contains, or a pattern under "args".',
    }
  }
  return {
    holds: (input) => evaluate(expression, input),
    knowsFlow: holdsNode(expression.ast, ({ op, args }) => op === 'id' && args === 'flow'),
  }
}

function evaluate(expression: ParseResult, input: ConditionInput): boolean | undefined {
  try {
    const result: unknown = expression({ ...input })
    return typeof result === 'boolean' ? result : undefined
  } catch {
    return undefined // an argument is missing or of another type: the rule's decision says what that means
  }
}

let made: Environment | undefined

function environment(): Environment {
  if (made !== undefined) return made
  const limits = { maxAstNodes: 500, maxDepth: 50, maxListElements: 200, maxMapEntries: 50 }
  made = new Environment({ unlistedVariablesAreDyn: false, limits })
  for (const [name, schema] of Object.entries(words)) made.registerVariable({ name, schema })
  return made.registerVariable({ name: 'args', type: 'map' })
}

function faultOf(code: string | undefined, summary: string): ConditionFault {
  const [, name] = /^(?:Unknown variable|No such key): (.+)$/.exec(summary) ?? []
  if (name === undefined) {
    const message = `cannot be read: ${summary}`
    return { message, fix: 'Write it as in "flow.untrusted && tool.openWorld".' }
  }
  const roots = [...Object.keys(words), 'args']
  const members = Object.values(words).flatMap((group) => Object.keys(group))
  const names = code === 'unknown_variable' ? roots : [...new Set(members)]
  const meant = didYouMean(name, names)
  return {
    message: `speaks of "${name}", which is not known here`,
    fix: meant === undefined ? `Known: ${names.join(', ')}.` : `Did you mean "${meant}"?`,
  }
}

/** Whether a part of an expression is one of these. */
function holdsNode(node: unknown, isIt: (node: ASTNode) => boolean): boolean {
  if (Array.isArray(node)) return node.some((each) => holdsNode(each, isIt))
  return isNode(node) && (isIt(node) || holdsNode(node.args, isIt))
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value
}

import {
  compileExpression,
  readArguments,
  type Language,
  type ToolClaims,
} from '@parley/foundation/rules'
import type { JsonObject } from '@parley/mcp'

/** The values that a `when` may use. */
export interface ConditionInput {
  readonly flow: { readonly untrusted: boolean; readonly private: boolean }
  readonly tool: { readonly name: string } & ToolClaims
  readonly server: { readonly name: string; readonly trusted: boolean }
  readonly call: { readonly by: string }
  readonly args: JsonObject
}

/** A `when` in the Common Expression Language. */
export interface Condition {
  /** Undefined if it cannot be decided, for example because an argument is missing. */
  holds(input: ConditionInput): boolean | undefined
  /** It speaks of what the conversation has read. */
  readonly knowsFlow: boolean
}

/** Why a condition cannot be used. */
export interface ConditionProblem {
  readonly message: string
  readonly fix: string
}

/** The language of a host's rules: what gateways have too, the conversation, and who calls. */
const hostLanguage: Language = {
  example: 'flow.untrusted && tool.openWorld',
  vocabulary: {
    flow: { untrusted: 'value', private: 'value' },
    tool: {
      name: 'value',
      readOnly: 'value',
      destructive: 'value',
      idempotent: 'value',
      openWorld: 'value',
    },
    server: { name: 'value', trusted: 'value' },
    call: { by: 'value' },
    args: 'any',
  },
}

/** Compiles a condition. Names that do not exist, and conditions that are not true or false, are faults. */
export function compileCondition(text: string): Condition | ConditionProblem {
  const compiled = compileExpression(text, hostLanguage)
  if (!compiled.ok) return { message: `cannot be read: ${compiled.message}`, fix: compiled.fix }
  const { expression } = compiled
  return {
    knowsFlow: expression.uses('flow'),
    holds({ args: input, ...others }) {
      try {
        const args = readArguments(input)
        const variables = Object.entries(others).map(
          ([name, members]) => [name, new Map(Object.entries(members))] as const,
        )
        const { is } = expression.evaluate(
          { ...Object.fromEntries(variables), args: args.value },
          args,
        )
        return is === 'true' || is === 'false' ? is === 'true' : undefined
      } catch {
        return undefined // too large or too deep to look at: the rule's decision says what that means
      }
    },
  }
}

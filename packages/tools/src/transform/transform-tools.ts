import type { JsonObject, Tool } from '@parley/mcp'

import { transformArguments } from './apply-transform.ts'
import { editSchema } from './edit-schema.ts'
import { checkRules, type ToolRule, type ToolRules, TransformError } from './tool-rules.ts'

/** The meaning of a call by an exposed name. */
export type TransformedCall =
  | {
      /** A call of a tool. */
      readonly kind: 'call'
      /** The tool's own name. */
      readonly name: string
      /** The arguments that the tool is called with. */
      readonly args: JsonObject
    }
  /** No tool is exposed by that name, as far as the rules know. */
  | { readonly kind: 'unknown' }
  /** The arguments cannot be meant; the text is for the caller. */
  | {
      readonly kind: 'refused'
      /** The problem and its fix, for the model. */
      readonly problem: string
    }

/** Tools as callers see them, and calls as the tools expect them. Pure: it holds rules, no tools. */
export interface ToolTransform {
  /** The tool as it is listed; undefined if it is hidden. Throws `TransformError` if a rule does not fit it. */
  toExposed(tool: Tool): Tool | undefined
  /** The call that is meant. The arguments that come out are for the tool to check. */
  toCall(name: string, args: JsonObject): TransformedCall
  /** Returns the problems of the rules for these tools: missing arguments and tools, and names that clash. */
  check(tools: readonly Tool[]): readonly TransformError[]
}

/** Makes a transform of rules; several are applied one after the other, each to what the one before exposes. */
export function transformTools(...chain: readonly ToolRules[]): ToolTransform {
  const steps = chain.map(createStep)
  return {
    toExposed: (tool) =>
      steps.reduce<Tool | undefined>((seen, step) => seen && step.toExposed(seen), tool),
    toCall(name, args) {
      let call: TransformedCall = { kind: 'call', name, args }
      for (const step of steps.toReversed()) {
        if (call.kind !== 'call') return call
        call = step.toCall(call.name, call.args)
      }
      return call
    },
    check(tools) {
      let seen = tools
      return steps.flatMap((step) => {
        const problems = step.check(seen)
        seen = seen.flatMap((tool) => exposedOrNone(step, tool))
        return problems
      })
    },
  }
}

function createStep(rules: ToolRules): ToolTransform {
  checkRules(rules)
  const everything = own(rules, '*') ?? {}
  /** From exposed names to the tool's own, for tools with rules. */
  const originals = new Map<string, string>()
  for (const [tool, rule] of Object.entries(rules)) {
    if (tool !== '*' && !rule.hide) originals.set(rule.name ?? tool, tool)
  }

  function toExposed(tool: Tool): Tool | undefined {
    const rule = own(rules, tool.name)
    if (rule === undefined && originals.has(tool.name)) return undefined // another tool has taken its name
    if ((rule ?? everything).hide) return undefined
    return exposed(tool, rule ?? everything)
  }

  return {
    toExposed,
    toCall(name, args) {
      const original = originals.get(name)
      const rule = original === undefined ? undefined : own(rules, original)
      if (original === undefined || rule === undefined) {
        const isHidden = own(rules, name) !== undefined || everything.hide === true
        return isHidden ? { kind: 'unknown' } : { kind: 'call', name, args }
      }
      const transformed = transformArguments(rule, args)
      return 'problem' in transformed
        ? { kind: 'refused', problem: transformed.problem }
        : { kind: 'call', name: original, args: transformed.args }
    },
    check(tools) {
      const names = new Set(tools.map(({ name }) => name))
      return [
        ...Object.keys(rules).flatMap((name) => missing(name, names)),
        ...tools.flatMap((tool) => problemsOf(tool)),
      ]
    },
  }

  function problemsOf(tool: Tool): readonly TransformError[] {
    const taker = own(rules, tool.name) === undefined ? originals.get(tool.name) : undefined
    if (taker !== undefined) {
      const why = `there is a tool called ${tool.name} already: hide or rename it`
      return [new TransformError(taker, undefined, why)]
    }
    try {
      toExposed(tool)
      return []
    } catch (error) {
      if (error instanceof TransformError) return [error]
      throw error
    }
  }
}

function exposed(tool: Tool, rule: ToolRule): Tool {
  const { title, description, annotations, outputSchema } = rule
  const { outputSchema: described, ...rest } = tool
  const output = outputSchema ?? described
  return {
    ...rest,
    name: rule.name ?? tool.name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: editSchema(tool.name, tool.inputSchema, rule),
    ...(output !== false && output !== undefined && { outputSchema: output }),
    ...(annotations && { annotations: { ...tool.annotations, ...annotations } }),
  }
}

function exposedOrNone(step: ToolTransform, tool: Tool): readonly Tool[] {
  try {
    const seen = step.toExposed(tool)
    return seen === undefined ? [] : [seen]
  } catch {
    return [] // its problem has been told
  }
}

function missing(name: string, names: ReadonlySet<string>): readonly TransformError[] {
  if (name === '*' || names.has(name)) return []
  const some = [...names].slice(0, 20).join(', ')
  return [new TransformError(name, undefined, `there is no such tool; there are ${some || 'none'}`)]
}

function own(rules: ToolRules, name: string): ToolRule | undefined {
  return Object.hasOwn(rules, name) ? rules[name] : undefined
}

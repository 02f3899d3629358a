import { fateOf, type ToolRule, type ToolRules } from './tool-rules.ts'
import { TransformError } from './transform-error.ts'

const toolNames = /^[A-Za-z0-9_./-]{1,128}$/

/** Throws for rules that are wrong whatever the tools are. */
export function checkRules(rules: ToolRules): void {
  const taken = new Map<string, string>()
  for (const [tool, rule] of Object.entries(rules)) {
    if (tool === '*') {
      checkWildcard(rule)
      continue
    }
    checkToolRule(tool, rule)
    if (rule.hide) continue
    const name = rule.name ?? tool
    const other = taken.get(name)
    if (other !== undefined) {
      throw new TransformError(tool, undefined, `it would be called ${name}, as ${other} is`)
    }
    taken.set(name, tool)
  }
}

function checkWildcard(rule: ToolRule): void {
  const wrong = Object.keys(rule).find((key) => key !== 'hide' && key !== 'annotations')
  if (wrong !== undefined) {
    throw new TransformError('*', undefined, `"${wrong}" is for one tool: write it under its name`)
  }
}

function checkToolRule(tool: string, rule: ToolRule): void {
  if (rule.name !== undefined && !toolNames.test(rule.name)) {
    const why = `a name has 1 to 128 of the characters A-Z a-z 0-9 _ . / -, not ${JSON.stringify(rule.name)}`
    throw new TransformError(tool, undefined, why)
  }
  const taken = new Map<string, string>()
  for (const [argument, argumentRule] of Object.entries(rule.arguments ?? {})) {
    const { hide, value, default: given, name } = argumentRule
    const refuse = (why: string) => new TransformError(tool, argument, why)
    if (name === '') throw refuse('its new name is empty')
    if (value !== undefined && given !== undefined) {
      throw refuse('"value" is always sent, so "default" never is: leave one out')
    }
    if ((hide || value !== undefined) && name !== undefined) {
      throw refuse('a hidden argument needs no name: leave "name" out')
    }
    const fate = fateOf(argument, argumentRule)
    if (fate.kind !== 'kept') continue
    const other = taken.get(fate.name)
    if (other !== undefined) throw refuse(`it would be called ${fate.name}, as ${other} is`)
    taken.set(fate.name, argument)
  }
}

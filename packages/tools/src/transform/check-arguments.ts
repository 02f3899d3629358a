import { compileJsonSchema, type JsonSchema, type JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { mentionOf } from './schema-references.ts'
import { fateOf, type ArgumentRule, TransformError } from './tool-rules.ts'

interface ArgumentRules {
  readonly [argument: string]: ArgumentRule
}

/** Throws `TransformError` for a rule that the arguments of a tool do not allow. */
export function checkArguments(tool: string, schema: JsonSchema, rules: ArgumentRules): void {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  for (const [argument, rule] of Object.entries(rules)) {
    const reject = (why: string) => new TransformError(tool, argument, why)
    if (!Object.hasOwn(properties, argument)) {
      const keyword = mentionOf(schema, argument)
      throw reject(
        keyword === undefined
          ? `the tool has no such argument; it has ${listed(Object.keys(properties))}`
          : `it is described inside "${keyword}", where it cannot be changed`,
      )
    }
    const isMoved = isGoneOrRenamed(argument, rule)
    const keyword = isMoved || rule.default !== undefined ? mentionOf(schema, argument) : undefined
    if (keyword !== undefined) {
      throw reject(
        `"${keyword}" of the inputSchema depends on it, so it can only be given a new description`,
      )
    }
    if (isMoved) checkPatterns(schema, argument, rule, reject)
    checkHidden(schema, argument, rules, reject)
    const value = rule.value ?? rule.default
    if (value !== undefined) checkValue(schema, properties[argument], value, reject)
  }
  checkNames(tool, Object.keys(properties), rules)
}

type Reject = (why: string) => TransformError

function isGoneOrRenamed(argument: string, rule: ArgumentRule): boolean {
  const fate = fateOf(argument, rule)
  return fate.kind !== 'kept' || fate.name !== argument
}

/** Patterns of names apply to arguments too: another name would mean other rules. */
function checkPatterns(schema: JsonSchema, argument: string, rule: ArgumentRule, reject: Reject) {
  const { patternProperties, propertyNames } = schema
  if (isJsonObject(patternProperties) && Object.keys(patternProperties).length > 0) {
    throw reject(
      'the inputSchema has "patternProperties", so it can only be given a new description',
    )
  }
  if (propertyNames !== undefined && fateOf(argument, rule).kind === 'kept') {
    throw reject('the inputSchema has "propertyNames", so it cannot be renamed')
  }
}

function checkHidden(schema: JsonSchema, argument: string, rules: ArgumentRules, reject: Reject) {
  if (fateOf(argument, rules[argument] ?? {}).kind !== 'dropped') return
  if (Array.isArray(schema['required']) && schema['required'].includes(argument)) {
    throw reject('the tool requires it: give it a "value"')
  }
  for (const keyword of ['dependentRequired', 'dependencies'] as const) {
    for (const [other, needed] of Object.entries(schema[keyword] ?? {})) {
      if (!Array.isArray(needed) || !needed.includes(argument)) continue
      if (fateOf(other, rules[other] ?? {}).kind === 'dropped') continue
      throw reject(`argument ${JSON.stringify(other)} needs it: give it a "value", or hide both`)
    }
  }
}

function checkValue(schema: JsonSchema, property: unknown, value: JsonValue, reject: Reject): void {
  if (!isJsonObject(property)) return
  const { $defs, definitions, properties, $schema } = schema
  // Beside what it may refer to; what is not referred to does not matter.
  const surrounded = {
    ...($schema !== undefined && { $schema }),
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
    ...(isJsonObject(properties) && { properties: { ...properties, value: property } }),
  }
  const issues = compileFor(surrounded, reject)({ value })
  if (issues === undefined) return
  const why = issues.map(({ message }) => message).join('; ')
  throw reject(`${JSON.stringify(value)} does not fit its schema: ${why}`)
}

function compileFor(schema: JsonSchema, reject: Reject) {
  try {
    return compileJsonSchema(schema, { untrusted: true })
  } catch (error) {
    throw reject(`its schema cannot be read: ${error instanceof Error ? error.message : 'unknown'}`)
  }
}

function checkNames(tool: string, names: readonly string[], rules: ArgumentRules): void {
  const usedNames = new Map<string, string>()
  for (const argument of names) {
    const fate = fateOf(argument, rules[argument] ?? {})
    if (fate.kind !== 'kept') continue
    const other = usedNames.get(fate.name)
    if (other !== undefined) {
      const renamed = fate.name === argument ? other : argument
      throw new TransformError(tool, renamed, `the tool has another argument called ${fate.name}`)
    }
    usedNames.set(fate.name, argument)
  }
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  return names.length > 20 ? `${names.slice(0, 20).join(', ')} …` : names.join(', ')
}

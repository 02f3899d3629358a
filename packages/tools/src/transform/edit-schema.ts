/**
 * Changes the input schema of a tool by a rule: renames, hides, describes and fixes arguments, and moves references along. Throws
 * `TransformError` for a schema that the rule cannot change safely.
 */

import type { JsonSchema } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { dropUnused, inlineRoot } from './apply-transform.ts'
import { checkArguments } from './check-arguments.ts'
import { decodeStep, encodeStep, mapReferences } from './schema-references.ts'
import { fateOf, type ArgumentFate, type ToolRule } from './tool-rules.ts'

/** The rule for a tool, worked out for the arguments that it has. */
interface Edit {
  fate(argument: string): ArgumentFate
  /** Whether the tool gets it whatever the caller sends. */
  isAlwaysSent(argument: string): boolean
}

/** The input schema that callers see. Throws `TransformError` for what the rule cannot change. */
export function editSchema(tool: string, input: JsonSchema, rule: ToolRule): JsonSchema {
  const rules = rule.arguments ?? {}
  if (Object.keys(rules).length === 0) return input
  const schema = inlineRoot(tool, input)
  checkArguments(tool, schema, rules)
  const edit: Edit = {
    fate: (argument) => fateOf(argument, rules[argument] ?? {}),
    isAlwaysSent(argument) {
      const fate = fateOf(argument, rules[argument] ?? {})
      return fate.kind === 'fixed' || rules[argument]?.default !== undefined
    },
  }
  const edited = withMovedReferences(withEditedKeywords(schema, edit), schema, edit)
  const isHiding = propertyNames(schema).some((argument) => edit.fate(argument).kind !== 'kept')
  return isHiding ? dropUnused(edited) : edited
}

function withEditedKeywords(schema: JsonSchema, edit: Edit): JsonSchema {
  const edited: { [keyword: string]: unknown } = { ...schema }
  edited['properties'] = editedProperties(schema, edit)
  const { dependent, required } = editedRequirements(schema, edit)
  replace(edited, 'required', required)
  for (const [keyword, value] of Object.entries(dependent)) replace(edited, keyword, value)
  const fixed = propertyNames(schema).filter((name) => edit.fate(name).kind === 'fixed').length
  const sent = propertyNames(schema).filter(edit.isAlwaysSent).length
  const { minProperties, maxProperties } = schema
  if (typeof minProperties === 'number') edited['minProperties'] = Math.max(0, minProperties - sent)
  if (typeof maxProperties === 'number')
    edited['maxProperties'] = Math.max(0, maxProperties - fixed)
  return edited
}

function editedProperties(schema: JsonSchema, edit: Edit): JsonSchema {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const remaining = Object.entries(properties).flatMap(([argument, property]) => {
    const fate = edit.fate(argument)
    if (fate.kind !== 'kept') return []
    const { title, description, default: value } = fate.rule
    const isChanged = title !== undefined || description !== undefined || value !== undefined
    if (!isChanged) return [[fate.name, property] as const]
    const changed = {
      ...(isJsonObject(property) ? property : {}),
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(value !== undefined && { default: value }),
    }
    return [[fate.name, changed] as const]
  })
  return Object.fromEntries(remaining)
}

interface Requirements {
  readonly required: readonly string[] | undefined
  /** `dependentRequired` and the arrays of `dependencies`, its form before 2019-09. */
  readonly dependent: { readonly [keyword: string]: JsonSchema | undefined }
}

/** An argument that is always sent makes what depends on it required, and satisfies what asks for it. */
function editedRequirements(schema: JsonSchema, edit: Edit): Requirements {
  const required = new Set<string>()
  const require = (argument: string) => {
    const fate = edit.fate(argument)
    if (fate.kind === 'kept' && !edit.isAlwaysSent(argument)) required.add(fate.name)
  }
  for (const argument of texts(schema['required'])) require(argument)
  const dependent: { [keyword: string]: JsonSchema | undefined } = {}
  for (const keyword of ['dependentRequired', 'dependencies'] as const) {
    const before = schema[keyword]
    if (!isJsonObject(before)) continue
    const after: { [argument: string]: unknown } = {}
    for (const [argument, needed] of Object.entries(before)) {
      const fate = edit.fate(argument)
      if (!Array.isArray(needed)) after[argument] = needed
      else if (edit.isAlwaysSent(argument)) for (const text of texts(needed)) require(text)
      else if (fate.kind === 'kept') {
        const rest = texts(needed).filter((text) => !edit.isAlwaysSent(text))
        if (rest.length > 0) after[fate.name] = rest.map((item) => storedName(edit.fate(item)))
      }
    }
    dependent[keyword] = Object.keys(after).length > 0 ? after : undefined
  }
  return { required: required.size > 0 ? [...required] : undefined, dependent }
}

/** References into `properties` follow an argument to its new name; what hidden ones described moves to `$defs`. */
function withMovedReferences(edited: JsonSchema, before: JsonSchema, edit: Edit): JsonSchema {
  const properties = isJsonObject(before['properties']) ? before['properties'] : {}
  const moved = new Map<string, string>()

  function follow(reference: string): string {
    const [, step = '', rest = ''] = /^#\/properties\/([^/]+)(.*)$/s.exec(reference) ?? []
    const argument = decodeStep(step)
    if (!Object.hasOwn(properties, argument)) return reference
    const fate = edit.fate(argument)
    if (fate.kind === 'kept') return `#/properties/${encodeStep(fate.name)}${rest}`
    const name = moved.get(argument) ?? freeName(`hidden_${argument}`, before['$defs'])
    moved.set(argument, name)
    return `#/$defs/${encodeStep(name)}${rest}`
  }

  const followed = mapReferences(edited, follow)
  const definitions: { [name: string]: JsonSchema } = {}
  // A map may grow while it is read: what is moved may refer to more.
  for (const [argument, name] of moved) {
    const described = properties[argument]
    definitions[name] = isJsonObject(described) ? mapReferences(described, follow) : {}
  }
  if (moved.size === 0) return followed
  const { $defs } = followed
  return { ...followed, $defs: { ...(isJsonObject($defs) && $defs), ...definitions } }
}

function replace(schema: { [keyword: string]: unknown }, keyword: string, value: unknown): void {
  if (value === undefined) delete schema[keyword]
  else schema[keyword] = value
}

function propertyNames({ properties }: JsonSchema): readonly string[] {
  return isJsonObject(properties) ? Object.keys(properties) : []
}

/** A hidden one is not asked for: `checkArguments` has refused that. */
function storedName(fate: ArgumentFate): string {
  return fate.kind === 'kept' ? fate.name : ''
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string')
    : []
}

function freeName(name: string, usedNames: unknown): string {
  return isJsonObject(usedNames) && Object.hasOwn(usedNames, name)
    ? freeName(`${name}_`, usedNames)
    : name
}

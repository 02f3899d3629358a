import type { JsonValue } from '@parley/mcp'

import { isOfType, isSame, type TypeName } from '../json.ts'
import type { Source, Subject } from '../schema/gather.ts'
import { resolve, type Resolved } from '../schema/settle.ts'
import { makeValue, typeOf } from '../values/make-value.ts'
import { describeArray } from './describe-array.ts'
import { describeObject } from './describe-object.ts'
import { describeUnion } from './describe-union.ts'
import { asJson, type FormContext, type Slot } from './form-context.ts'
import type { FormNode, NodeBase } from './form-node.ts'

const maximumDepth = 40

/** The field for a value and all that applies to it. */
export function describe(
  context: FormContext,
  subject: Subject,
  value: JsonValue | undefined,
  slot: Slot,
): FormNode {
  const { source } = context
  context.nodes--
  if (slot.depth > maximumDepth) return asJson(bareBase(slot, value), value, 'deep')
  if (context.nodes < 0) return asJson(bareBase(slot, value), value, 'large')
  const resolved = resolve(source, subject, value)
  const base = describeBase(source, subject, resolved, value, slot)
  const { shape, options, variants } = resolved
  if (source.budget < 0) return asJson(base, value, 'large')
  if (shape.impossible) return asJson(base, value, 'impossible')
  const isStructure = shape.objects.length > 0 || shape.arrays.length > 0
  if (shape.trouble !== undefined && !isStructure) return asJson(base, value, 'unknown')
  if (options) {
    const selected = options.findIndex((option) => isSame(option.value, value))
    return { ...base, kind: 'choice', options, value, selected }
  }
  if (variants) return describeUnion(context, variants, base, value, slot)
  const type = typeOf(resolved)
  if (type === undefined) return asJson(base, value, 'any')
  const isLeaf = type !== 'object' && type !== 'array'
  if (isLeaf && shape.unknownKeywords.length > 0) return asJson(base, value, 'unknown')
  if (value !== undefined && value !== null && !isOfType(value, shownAs(type))) {
    return asJson(base, value, 'mismatch')
  }
  return describeTyped(context, subject, resolved, type, base, value, slot)
}

/** A number with a fraction in a field for whole numbers is a wrong number, not another type. */
function shownAs(type: TypeName): TypeName {
  return type === 'integer' ? 'number' : type
}

function describeTyped(
  context: FormContext,
  subject: Subject,
  resolved: Resolved,
  type: TypeName,
  base: NodeBase,
  value: JsonValue | undefined,
  slot: Slot,
): FormNode {
  const { shape } = resolved
  const { limits } = shape
  switch (type) {
    case 'object':
      return describeObject(context, subject, shape, base, value, slot)
    case 'array':
      return describeArray(context, shape, base, value, slot)
    case 'string':
      return {
        ...base,
        kind: 'text',
        value: typeof value === 'string' ? value : undefined,
        format: shape.format,
        file: fileOf(shape),
        mediaType: shape.contentMediaType,
        isSecret: shape.writeOnly || shape.format === 'password',
        minLength: limits.minLength,
        maxLength: limits.maxLength,
        patterns: shape.patterns,
      }
    case 'number':
    case 'integer':
      return {
        ...base,
        kind: 'number',
        value: typeof value === 'number' ? value : undefined,
        isInteger: type === 'integer',
        minimum: limits.minimum ?? limits.exclusiveMinimum,
        maximum: limits.maximum ?? limits.exclusiveMaximum,
        multipleOf: limits.multipleOf,
      }
    case 'boolean':
      return { ...base, kind: 'boolean', value: typeof value === 'boolean' ? value : undefined }
    case 'null':
      return asJson(base, value, 'any')
  }
}

/** Text that stands for bytes, as JSON Schema, OpenAPI and form libraries say it. */
function fileOf({ contentEncoding, format }: Resolved['shape']): 'base64' | 'data-url' | undefined {
  if (format === 'data-url') return 'data-url'
  return contentEncoding === 'base64' || format === 'byte' ? 'base64' : undefined
}

function describeBase(
  source: Source,
  subject: Subject,
  { shape, nullable }: Resolved,
  value: JsonValue | undefined,
  slot: Slot,
): NodeBase {
  const unknown = shape.unknownKeywords.map((keyword) => `unknown keyword "${keyword}"`)
  return {
    ...bareBase(slot, value),
    label: (slot.path.length === 0 ? shape.title : shape.ownTitle) ?? slot.name,
    description: shape.description,
    nullable,
    deprecated: shape.deprecated,
    readOnly: shape.readOnly,
    default: shape.default,
    examples: shape.examples,
    notes: shape.trouble === undefined ? unknown : [shape.trouble, ...unknown],
    start: () => makeValue({ ...source, budget: 20_000 }, subject, 'start'),
  }
}

function bareBase({ path, name, required }: Slot, value: JsonValue | undefined): NodeBase {
  return {
    path,
    label: name,
    required,
    nullable: false,
    presence: value === undefined ? 'absent' : value === null ? 'null' : 'value',
    deprecated: false,
    readOnly: false,
    examples: [],
    notes: [],
    start: () => ({}),
  }
}

import { isJsonObject } from '@parley/mcp/json'

import { member, type JsonObject } from '../json.ts'
import { flat } from '../output/printer.ts'

/** One member of what a schema describes. */
export interface SchemaRow {
  /** `address.lines[]` */
  readonly path: string
  readonly type: string
  readonly isRequired: boolean
  /** What is said about it, and what limits it. */
  readonly about: string
}

const deepest = 6
const maxRows = 200

/** The members of an object's schema, those inside them below, for people to read. Bounded, whatever the schema. */
export function schemaRows(schema: unknown): readonly SchemaRow[] {
  const rows: SchemaRow[] = []
  addMembers(schema, '', schema, rows, 0)
  return rows
}

function addMembers(
  memberSchema: unknown,
  path: string,
  root: unknown,
  rows: SchemaRow[],
  depth: number,
): void {
  const schema = resolved(memberSchema, root)
  if (depth > deepest || !isJsonObject(schema)) return
  const required = member(schema, 'required')
  const needed = new Set(Array.isArray(required) ? required : [])
  const properties = member(schema, 'properties')
  for (const [name, inner] of isJsonObject(properties) ? Object.entries(properties) : []) {
    if (rows.length >= maxRows) return
    const at = path === '' ? flat(name, 60) : `${path}.${flat(name, 60)}`
    const own = resolved(inner, root)
    rows.push({
      path: at,
      type: typeOf(own, root),
      isRequired: needed.has(name),
      about: aboutOf(own),
    })
    addMembers(own, at, root, rows, depth + 1)
  }
  const items = resolved(member(schema, 'items'), root)
  if (isJsonObject(items)) addMembers(items, `${path}[]`, root, rows, depth + 1)
}

/** `string`, `integer[]`, `"a" | "b"`, `string | null` */
function typeOf(typeSchema: unknown, root: unknown, depth = 0): string {
  const schema = resolved(typeSchema, root)
  if (!isJsonObject(schema) || depth > 3) return 'anything'
  const { enum: values, const: only, type, items } = schema
  if (Array.isArray(values))
    return flat(values.map((value) => JSON.stringify(value)).join(' | '), 120)
  if (only !== undefined) return flat(JSON.stringify(only), 60)
  const either = member(schema, 'anyOf') ?? member(schema, 'oneOf')
  if (Array.isArray(either)) {
    const kinds = either.slice(0, 8).map((item) => typeOf(item, root, depth + 1))
    return [...new Set(kinds)].join(' | ')
  }
  if (Array.isArray(type)) return flat(type.join(' | '), 60)
  if (type === 'array') {
    const inner = typeOf(items, root, depth + 1)
    return inner.includes(' | ') ? `(${inner})[]` : `${inner}[]`
  }
  return typeof type === 'string' ? flat(type, 30) : 'anything'
}

const limits = [
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'default',
]

function aboutOf(schema: unknown): string {
  if (!isJsonObject(schema)) return ''
  const { description, title } = schema
  const text = typeof description === 'string' ? description : title
  const bounds = limits
    .filter((name) => schema[name] !== undefined)
    .map((name) => `${name} ${flat(JSON.stringify(schema[name]), 60)}`)
  const limited = bounds.length === 0 ? '' : `(${bounds.join(', ')})`
  return [typeof text === 'string' ? flat(text, 400) : '', limited].filter(Boolean).join(' ')
}

/** What a reference within the document stands for; others stay what they are. */
function resolved(schema: unknown, root: unknown): unknown {
  let value = schema
  for (let steps = 0; steps < 10; steps += 1) {
    const reference: unknown = isJsonObject(value) ? value['$ref'] : undefined
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return value
    const found = reference
      .slice(2)
      .split('/')
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>(ownMember, root)
    if (found === undefined) return value
    value = found
  }
  return value
}

function ownMember(value: unknown, key: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, key)
    ? (value satisfies JsonObject)[key]
    : undefined
}

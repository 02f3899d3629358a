import { isJsonObject, type JsonObject } from '../json.ts'

/** The TypeScript type of what a JSON Schema accepts, as far as types can say it; `unknown` where they cannot. */
export function typeOfSchema(schema: unknown): string {
  return new Writer(schema).type(schema, 0)
}

/** Deeper than this nobody reads on; and a schema may contain itself. */
const maxDepth = 12

/** A class: what is open, to end in schemas that contain themselves, goes along everywhere. */
class Writer {
  private readonly root: unknown
  private readonly open = new Set<unknown>()

  constructor(root: unknown) {
    this.root = root
  }

  type(schema: unknown, depth: number): string {
    if (schema === true || !isJsonObject(schema)) return schema === false ? 'never' : 'unknown'
    if (depth > maxDepth || this.open.has(schema)) return 'unknown'
    this.open.add(schema)
    try {
      return this.combined(schema, depth)
    } finally {
      this.open.delete(schema)
    }
  }

  private combined(schema: JsonObject, depth: number): string {
    const parts: string[] = []
    const { $ref: reference, allOf, anyOf, oneOf } = schema
    if (typeof reference === 'string') parts.push(this.type(this.find(reference), depth + 1))
    const own = this.own(schema, depth)
    if (own !== undefined) parts.push(own)
    if (Array.isArray(allOf)) parts.push(...allOf.map((one) => this.type(one, depth + 1)))
    for (const choices of [anyOf, oneOf]) {
      if (Array.isArray(choices)) parts.push(union(choices.map((one) => this.type(one, depth + 1))))
    }
    const known = [...new Set(parts)].filter((part) => part !== 'unknown')
    if (known.length === 0) return 'unknown'
    return known.length === 1 ? (known[0] ?? 'unknown') : known.map(grouped).join(' & ')
  }

  /** What the schema says by itself; undefined for nothing. */
  private own(schema: JsonObject, depth: number): string | undefined {
    if ('const' in schema) return JSON.stringify(schema['const'])
    const { enum: values, type } = schema
    if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)))
    if (Array.isArray(type)) return union(type.map((one) => this.named(one, schema, depth)))
    if (typeof type === 'string') return this.named(type, schema, depth)
    if ('properties' in schema || 'additionalProperties' in schema)
      return this.object(schema, depth)
    return 'items' in schema || 'prefixItems' in schema ? this.array(schema, depth) : undefined
  }

  private named(type: unknown, schema: JsonObject, depth: number): string {
    switch (type) {
      case 'string':
      case 'boolean':
      case 'null':
        return type
      case 'number':
      case 'integer':
        return 'number'
      case 'array':
        return this.array(schema, depth)
      case 'object':
        return this.object(schema, depth)
      default:
        return 'unknown'
    }
  }

  private array({ items, prefixItems }: JsonObject, depth: number): string {
    const rest = items === undefined ? 'unknown' : this.type(items, depth + 1)
    if (!Array.isArray(prefixItems)) return `readonly ${grouped(rest)}[]`
    const first = prefixItems.map((one) => `${this.type(one, depth + 1)}?`)
    return `readonly [${[...first, ...(items === false ? [] : [`...${grouped(rest)}[]`])].join(', ')}]`
  }

  private object(schema: JsonObject, depth: number): string {
    const { properties, additionalProperties, required } = schema
    const needed = new Set(Array.isArray(required) ? required : [])
    const members = Object.entries(isJsonObject(properties) ? properties : {}).map(
      ([name, one]) => {
        const mark = needed.has(name) ? '' : '?'
        return `${commentOf(one)}readonly ${keyOf(name)}${mark}: ${this.type(one, depth + 1)}`
      },
    )
    if (members.length === 0 && additionalProperties === false) return 'Record<never, never>'
    const isOpen = members.length === 0 || isJsonObject(additionalProperties)
    const value = isJsonObject(additionalProperties)
      ? this.type(additionalProperties, depth + 1)
      : 'unknown'
    // Beside named members only `unknown` fits all of them.
    if (isOpen) members.push(`readonly [name: string]: ${members.length === 0 ? value : 'unknown'}`)
    return `{ ${members.join('; ')} }`
  }

  /** Inside the document alone; nothing is fetched. */
  private find(reference: string): unknown {
    if (!reference.startsWith('#')) return undefined
    let found: unknown = this.root
    for (const part of reference.slice(1).split('/').filter(Boolean)) {
      const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
      found = isJsonObject(found) || Array.isArray(found) ? Reflect.get(found, name) : undefined
    }
    return found
  }
}

function union(types: readonly string[]): string {
  const known = [...new Set(types)]
  return known.includes('unknown') || known.length === 0
    ? 'unknown'
    : known.map(grouped).join(' | ')
}

/** In brackets, where something stands beside it. */
function grouped(type: string): string {
  return /[|&]|^readonly /.test(type) && !/^\{.*\}$/s.test(type) ? `(${type})` : type
}

/** As a member is written. */
export function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

/** A description as a comment that cannot end early. */
export function commentOf(value: unknown): string {
  const text = isJsonObject(value) ? value['description'] : undefined
  if (typeof text !== 'string' || text.trim() === '') return ''
  const line = text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim()
  return `/** ${line.length > 200 ? `${line.slice(0, 200)}…` : line} */ `
}

import { isJsonObject } from '@parley/mcp/json'

/** A schema with an address of its own; its references are relative to it. */
export type Resource = { readonly [keyword: string]: unknown }

/** Names and anchors of a document. */
export interface SchemaIndex {
  resourceAt(address: string, from: Resource): Resource | undefined
  anchor(resource: Resource, name: string): Resource | undefined
  countDynamic(name: string): number
}

/** A schema beyond this is not read further; what is named there is not found. */
const maximumSchemas = 100_000
/** Members that hold values, not schemas: an `$id` in them means nothing. */
const valueKeywords = new Set(['const', 'enum', 'default', 'examples', 'example'])
/** Any absolute address will do to resolve relative ones against. */
const unnamed = 'form:///schema'

/** Finds every `$id`, `$anchor` and `$dynamicAnchor`, without recursion and bounded. */
export function indexSchema(root: Resource): SchemaIndex {
  const resources = new Map<string, Resource>()
  const addresses = new Map<Resource, string>()
  const anchors = new Map<Resource, Map<string, Resource>>()
  const dynamicCounts = new Map<string, number>()
  const waiting: { value: unknown; resource: Resource }[] = [{ value: root, resource: root }]
  addresses.set(root, unnamed)

  for (let seen = 0; waiting.length > 0 && seen < maximumSchemas; seen++) {
    const { value, resource } = waiting.pop()!
    if (Array.isArray(value)) for (const item of value) waiting.push({ value: item, resource })
    if (!isJsonObject(value)) continue
    const home = enter(value, resource)
    for (const [keyword, inner] of Object.entries(value)) {
      if (!valueKeywords.has(keyword)) waiting.push({ value: inner, resource: home })
    }
  }

  function enter(schema: Resource, resource: Resource): Resource {
    const id = schema['$id'] ?? schema['id']
    if (typeof id === 'string' && id.startsWith('#')) nameAnchor(resource, id.slice(1), schema)
    const isResource = typeof schema['$id'] === 'string' && !schema['$id'].startsWith('#')
    const home = isResource ? schema : resource
    if (isResource) {
      const address = resolveAddress(String(schema['$id']), addresses.get(resource))
      addresses.set(schema, address)
      resources.set(address, schema)
    }
    if (typeof schema['$anchor'] === 'string') nameAnchor(home, schema['$anchor'], schema)
    const dynamic = schema['$dynamicAnchor']
    if (typeof dynamic === 'string') {
      nameAnchor(home, dynamic, schema)
      dynamicCounts.set(dynamic, (dynamicCounts.get(dynamic) ?? 0) + 1)
    }
    return home
  }

  function nameAnchor(resource: Resource, name: string, schema: Resource) {
    const existing = anchors.get(resource) ?? new Map<string, Resource>()
    anchors.set(resource, existing.set(name, schema))
  }

  return {
    resourceAt: (address, from) => resources.get(resolveAddress(address, addresses.get(from))),
    anchor: (resource, name) => anchors.get(resource)?.get(name),
    countDynamic: (name) => dynamicCounts.get(name) ?? 0,
  }
}

function resolveAddress(address: string, base = unnamed): string {
  try {
    const url = new URL(address, base)
    url.hash = ''
    return url.href
  } catch {
    return address
  }
}

import { isJsonObject } from '@parley/mcp/json'

/** More of a document than anybody writes by hand; hostile ones are no larger to us. */
const maxNodes = 20_000

/** Returns the target of a reference inside a document. Nothing is fetched. */
export function findReference(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  const pointer = decoded(reference.slice(1))
  if (pointer === '') return root
  return pointer.startsWith('/') ? findPointer(root, pointer) : findAnchor(root, pointer)
}

function findPointer(root: unknown, pointer: string): unknown {
  let found: unknown = root
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    const isThere = typeof found === 'object' && found !== null && Object.hasOwn(found, name)
    found = isThere ? Reflect.get(Object(found), name) : undefined
  }
  return found
}

function findAnchor(root: unknown, name: string): unknown {
  for (const node of nodesOf(root)) {
    if (node['$anchor'] === name || node['$dynamicAnchor'] === name) return node
  }
  return undefined
}

/** The references in a part of a document, each once. */
export function referencesIn(part: unknown): readonly string[] {
  const found = new Set<string>()
  for (const { $ref: reference, $dynamicRef: dynamic } of nodesOf(part)) {
    if (typeof reference === 'string') found.add(reference)
    if (typeof dynamic === 'string') found.add(dynamic)
  }
  return [...found]
}

/** Every object in a document, from the outside in. */
function* nodesOf(root: unknown): Generator<{ readonly [name: string]: unknown }> {
  const waiting: unknown[] = [root]
  for (let at = 0; at < waiting.length && at < maxNodes; at += 1) {
    const node = waiting[at]
    if (isJsonObject(node)) yield node
    if (typeof node === 'object' && node !== null)
      waiting.push(...Object.values(node).slice(0, maxNodes))
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // then it is meant to the letter, or points nowhere
  }
}

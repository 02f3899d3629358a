import type { JsonObject, JsonValue } from '@parley/mcp'

/** A record that fits: its largest members give way to a sentence of how large they were. */
export function shrinkRecord(
  record: JsonObject,
  maxBytes: number,
): { readonly record: JsonObject; readonly size: number } {
  const size = sizeOf(record)
  // Parsed from its text, so that nothing the caller does later changes what is hashed.
  if (size <= maxBytes) return { record: copy(record), size }
  const sizes = Object.entries(record).map(([name, value]) => ({
    name,
    size: sizeOf(value ?? null),
  }))
  const largest = sizes.toSorted((a, b) => b.size - a.size)
  const left = new Map<string, JsonValue | undefined>(Object.entries(record))
  let rest = size
  for (const item of largest) {
    if (rest <= maxBytes) break
    const note = `(${item.size} bytes left out)`
    left.set(item.name, note)
    rest += note.length + 2 - item.size
  }
  if (rest > maxBytes) return { record: { leftOut: size }, size: 64 } // names alone are too much
  return { record: copy(Object.fromEntries(left)), size: rest }
}

function sizeOf(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

function copy(record: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(record)) as JsonObject // it was one
}

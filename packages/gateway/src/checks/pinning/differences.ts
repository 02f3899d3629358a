import type { JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

/** A place where two definitions differ. */
export interface Difference {
  /** `inputSchema.properties.path.type`. */
  readonly path: string
  /** Absent if it was not there. */
  readonly before?: JsonValue | undefined
  /** Absent if it is gone. */
  readonly after?: JsonValue | undefined
}

const most = 100
const deepest = 64

/** Where two values differ, as deep as they can be compared; at most 100 places. */
export function differencesOf(before: JsonValue, after: JsonValue): readonly Difference[] {
  const found: Difference[] = []

  function compare(
    a: JsonValue | undefined,
    b: JsonValue | undefined,
    path: string,
    depth: number,
  ): void {
    if (found.length >= most || a === b) return
    const isBoth = depth < deepest && isJsonObject(a) && isJsonObject(b)
    const areLists = depth < deepest && Array.isArray(a) && Array.isArray(b)
    if (isBoth) {
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
        compare(own(a, name), own(b, name), path === '' ? name : `${path}.${name}`, depth + 1)
      }
    } else if (areLists) {
      for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
        compare(a[index], b[index], `${path}[${index}]`, depth + 1)
      }
    } else {
      found.push({ path, before: a, after: b })
    }
  }

  compare(before, after, '', 0)
  return found
}

function own(
  value: { readonly [name: string]: JsonValue | undefined },
  name: string,
): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

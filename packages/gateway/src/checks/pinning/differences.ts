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
    one: JsonValue | undefined,
    other: JsonValue | undefined,
    path: string,
    depth: number,
  ): void {
    if (found.length >= most || one === other) return
    const isBoth = depth < deepest && isJsonObject(one) && isJsonObject(other)
    const areLists = depth < deepest && Array.isArray(one) && Array.isArray(other)
    if (isBoth) {
      for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
        compare(own(one, name), own(other, name), path === '' ? name : `${path}.${name}`, depth + 1)
      }
    } else if (areLists) {
      for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
        compare(one[index], other[index], `${path}[${index}]`, depth + 1)
      }
    } else {
      found.push({ path, before: one, after: other })
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

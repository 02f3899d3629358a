import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

/** Deeper values are not looked at, which is a finding too. */
const deepest = 64

/** Changes the texts of a value, names of members too. What does not change stays the same object. */
export function mapTexts(
  value: JsonObject,
  change: (text: string) => string,
  tooDeep: () => void,
): JsonObject {
  function walk(each: JsonValue, depth: number): JsonValue {
    if (typeof each === 'string') return change(each)
    if (typeof each !== 'object' || each === null) return each
    if (depth >= deepest) {
      tooDeep()
      return each
    }
    if (isJsonObject(each)) return walkMembers(each, depth)
    const items = each.map((item) => walk(item, depth + 1))
    return items.some((item, index) => item !== each[index]) ? items : each
  }

  function walkMembers(object: JsonObject, depth: number): JsonObject {
    let isSame = true
    const members = Object.entries(object).map(
      ([name, member]): [string, JsonValue | undefined] => {
        const changed = member === undefined ? undefined : walk(member, depth + 1)
        const shown = change(name)
        isSame &&= changed === member && shown === name
        return [shown, changed]
      },
    )
    return isSame ? object : Object.fromEntries(members)
  }

  return walkMembers(value, 0)
}

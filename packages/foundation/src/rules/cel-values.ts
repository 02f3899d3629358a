import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

/** Maps, so that a member called `constructor` or `__proto__` is a member like any other. */
export type CelMap = ReadonlyMap<string, unknown>

/** Arguments as expressions see them, and how much there is to look at. */
export interface CelArguments {
  /** The arguments. */
  readonly value: CelMap
  /** How many values they hold. */
  readonly values: number
  /** Characters of all texts. */
  readonly characters: number
}

const deepest = 64
const maxValues = 100_000

/** Throws at what is too large or too deep for a policy to look at: such a request is refused. */
export function readArguments(callArguments: JsonObject): CelArguments {
  let values = 0
  let characters = 0

  function read(value: JsonValue | undefined, depth: number): unknown {
    values += 1
    if (values > maxValues) throw new Error(`the arguments hold more than ${maxValues} values`)
    if (depth > deepest) throw new Error(`the arguments are nested more than ${deepest} deep`)
    if (typeof value === 'string') characters += value.length
    // Whole numbers are ints: `args.count + 1` has a meaning, and comparing them with doubles works too.
    if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
    if (Array.isArray(value)) return value.map((each: JsonValue) => read(each, depth + 1))
    return isJsonObject(value) ? readMembers(value, depth) : value
  }

  function readMembers(value: JsonObject, depth: number): CelMap {
    const members = new Map<string, unknown>()
    for (const [name, each] of Object.entries(value)) {
      characters += name.length
      if (each !== undefined) members.set(name, read(each, depth + 1))
    }
    return members
  }

  return { value: readMembers(callArguments, 0), values, characters }
}

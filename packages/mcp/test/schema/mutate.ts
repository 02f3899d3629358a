/** A repeatable stream of numbers from 0 up to 1. */
export type Random = () => number

/** The same seed gives the same stream (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const junk = JSON.parse(`[
  null, true, false, 0, 1, -1, 1.5, 1e300, "", "x", "file://", [], {}, [null], ["x"], [[]],
  { "x": 1 }, { "type": "text", "text": "x" }, { "type": "object" }, { "type": "string" }
]`) as readonly unknown[] // the text above is an array

/** A copy of a JSON value with one or two things about it changed. */
export function mutate(sample: unknown, random: Random): unknown {
  const holder = { root: copy(sample) }
  const count = random() < 0.7 ? 1 : 2
  for (let done = 0; done < count; done++) changeOne(holder, random)
  return holder.root
}

interface Slot {
  readonly holder: { [key: string]: unknown }
  readonly key: string
}

function changeOne(root: { [key: string]: unknown }, random: Random): void {
  const slots = slotsOf(root)
  const { holder, key } = pick(slots, random)
  const other = pick(slots, random)
  const value = holder[key]
  const kind = random()
  if (kind < 0.2 && holder !== root) remove(holder, key)
  else if (kind < 0.6) holder[key] = copy(pick(junk, random))
  else if (kind < 0.8) holder[key] = copy(other.holder[other.key])
  else if (kind < 0.9) holder[key] = [value]
  else if (isHolder(value))
    value[Array.isArray(value) ? value.length : 'x-unheard-of'] = copy(pick(junk, random))
  else holder[key] = String(value)
}

function slotsOf(holder: { [key: string]: unknown }): Slot[] {
  return Object.keys(holder).flatMap((key) => {
    const value = holder[key]
    return [{ holder, key }, ...(isHolder(value) ? slotsOf(value) : [])]
  })
}

function isHolder(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null
}

function remove(holder: { [key: string]: unknown }, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)]! // never empty: the root is a slot, and junk is a list
}

/** Not `structuredClone`: it keeps what is shared shared, and one change would show in two places. */
function copy(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

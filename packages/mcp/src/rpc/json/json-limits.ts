/**
 * Limits of JSON text that are checked before it is parsed: nesting, members of one object, values in all.
 *
 * `scanJson` walks through text once without building anything; `measureJson` does the same for values that were parsed by somebody
 * else; `jsonWeight` estimates the memory that parsed text needs. Sizes in bytes are checked by transports, because only they know
 * what is still to come.
 */
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { RpcError } from '../errors/rpc-error.ts'
import { defaultLimits } from '../limits.ts'
import type { DecodeLimits } from '../message.ts'

/**
 * Refuses a text that is nested too deeply, or has too many members or values, before it is parsed: a hostile one costs
 * 25 times what an ordinary one does. One pass without recursion that ends where a limit is broken. Texts that cannot break one
 * are not looked at, or by native searches alone.
 */
export function scanJson(
  text: string,
  { depth, members, values = defaultLimits.values }: DecodeLimits,
): RpcError | undefined {
  const canBeWide = text.length >= 2 * members || text.length > values
  if (!canBeWide && (text.length < 2 * depth || opensAtMost(text, depth))) return undefined
  const commas = [0]
  let level = 0
  let total = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === comma) {
      if (canBeWide && ++commas[level]! >= members) return exceeded('members', members) // set when the level was opened
      if (++total > values) return exceeded('values', values)
    } else if (code > upperCaseZ) {
      const bracket = code | 0x20 // [ and ] are { and } without this bit
      if (bracket === openBrace) {
        if (++level > depth) return exceeded('depth', depth)
        if (++total > values) return exceeded('values', values)
        commas[level] = 0
      } else if (bracket === closeBrace && level > 0) level--
    }
  }
  return undefined
}

/** The refusal for each limit. */
export function exceeded(limit: keyof typeof excesses, allowed: number, seen?: number): RpcError {
  return new RpcError(
    'limit_exceeded',
    `${excesses[limit]} than limits.${limit} (${allowed}) allows`,
    { data: { limit, allowed, ...(seen !== undefined && { seen }) } },
  )
}

const excesses = {
  depth: 'nested deeper',
  members: 'an object or array has more members',
  values: 'there are more values',
  batchMessages: 'a batch has more messages',
}

/** Few brackets cannot be deep, and most messages have few. */
function opensAtMost(text: string, count: number): boolean {
  let left = count
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (--left < 0) return false
    }
  }
  return true
}

/** Where the string that starts here ends. Long ones are searched natively, which takes no time to speak of. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  for (const near = at + 24; at < near; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) at++
  }
  for (;;) {
    at = text.indexOf('"', at)
    if (at === -1) return text.length
    let before = at - 1
    while (text.charCodeAt(before) === backslash) before--
    if ((at - before) % 2 === 1) return at // an even number of backslashes escapes nothing
    at++
  }
}

const quote = 0x22
const comma = 0x2c
const upperCaseZ = 0x5a
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const colon = 0x3a

/** Memory that any message needs besides its own: for its call, its response, its entries in queues. */
const localBytes = 2_048
/** No text becomes more than so many times as much in memory. */
const greatestRatio = 24
/** Short texts are not looked at. */
const shortLength = 1_024

/** In memory, measured; of an object with members each of them costs more than the object. */
const objectBytes = 64
const arrayBytes = 48
const stringBytes = 24
const memberBytes = 16
const nameBytes = 64

/** How much memory a message takes once it is read, at most: text of two bytes a character, and all that is made of it. */
export function jsonWeight(text: string): number {
  const { length } = text
  if (length <= shortLength) return localBytes + length * greatestRatio
  let bytes = localBytes + 2 * length
  for (let at = 0; at < length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        bytes += stringBytes
        at = endOfString(text, at)
        break
      case openBrace:
        bytes += objectBytes
        break
      case openBracket:
        bytes += arrayBytes
        break
      case comma:
        bytes += memberBytes
        break
      case colon:
        bytes += nameBytes
    }
  }
  return bytes
}

/** Refuses a value that is nested too deeply, or has too many members or values, for what was parsed before it came here. */
export function measureJson(
  value: unknown,
  { depth, members, values = defaultLimits.values }: DecodeLimits,
): RpcError | undefined {
  let total = 0
  return measure(value, depth)

  function measure(node: unknown, depthLeft: number): RpcError | undefined {
    if (typeof node !== 'object' || node === null) return undefined
    if (depthLeft === 0) return exceeded('depth', depth)
    if (++total > values) return exceeded('values', values)
    let count = 0
    if (Array.isArray(node)) {
      if (node.length > members) return exceeded('members', members)
      if ((total += Math.max(0, node.length - 1)) > values) return exceeded('values', values)
      for (const child of node) {
        const problem = measure(child, depthLeft - 1)
        if (problem !== undefined) return problem
      }
      return undefined
    }
    // A parsed object inherits from Object.prototype alone, which has nothing enumerable.
    for (const key in node) {
      if (++count > members) return exceeded('members', members)
      if (count > 1 && ++total > values) return exceeded('values', values)
      const problem = measure((node as Record<string, unknown>)[key], depthLeft - 1) // own key of a parsed object
      if (problem !== undefined) return problem
    }
    return undefined
  }
}

/**
 * `JSON.parse` for what others wrote, within the limits that messages have by default. Throws `limit_exceeded` for what
 * is nested too deeply or holds too much, before it is parsed, and `SyntaxError` for what is not JSON.
 */
export function parseJson(text: string): unknown {
  const excess = scanJson(text, defaultLimits)
  if (excess !== undefined) throw excess
  return JSON.parse(text)
}

/** The JSON object in a text; `undefined` for other text, and for an object beyond the default limits of messages. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined // not JSON, or more of it than a message may hold
  }
}

/** How much of each end of a message is looked at, in characters or bytes. */
export const endLength = 1024

/**
 * A message by the two ends of its text, with null for all between: whoever waits for it can still be told. Undefined
 * unless they say for certain what it is. Plain values that follow the first brace are members of the message, and so
 * are those before the last: within a text every quote is escaped.
 */
export function messageByEnds(head: string, tail: string): object | undefined {
  const start = /^\s*{(\s*"\w+"\s*:\s*("([^"\\]|\\.)*"|[\w.+-]+)\s*,)*\s*"\w+"\s*:/.exec(head)
  const end = /(,\s*"\w+"\s*:\s*("([^"\\]|\\.)*"|[\w.+-]+)\s*)*}\s*$/.exec(tail)
  try {
    const message = JSON.parse(`${start?.[0]}null${end?.[0]}`) as object // begins with a brace, or is not JSON
    const tells =
      'method' in message || ('id' in message && ('result' in message || 'error' in message))
    return tells ? message : undefined
  } catch {
    return undefined // an end that is missing, too
  }
}

/** The same for a text that is at hand. */
export function endsOf(text: string): object | undefined {
  return messageByEnds(text.slice(0, endLength), text.slice(-endLength))
}

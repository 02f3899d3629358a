import type { JsonValue } from '@parley/mcp'

import { createMasker, isSecretName, mask } from '../secrets/index.ts'

/** The text in place of a secret. */
export const masked = mask

/** Takes out of a value what nobody else should read. */
export type Mask = (value: JsonValue) => JsonValue

/**
 * Masks texts by the names they stand under, and known secrets wherever they stand. Objects under such a name are looked
 * into: in a schema they describe the secret, and are none. What has no secret in it stays the same object.
 */
export function createMask(secrets: Iterable<string> = []): Mask {
  const findIn = createMasker(secrets)

  function walk(value: JsonValue, isSecret: boolean, depth: number): JsonValue {
    if (typeof value === 'string') return isSecret ? maskText(value) : findIn(withoutTokens(value))
    if (typeof value === 'number' && isSecret) return mask
    if (value === null || typeof value !== 'object') return value
    if (depth > deepest) return mask
    if (isArray(value)) {
      const items = value.map((item) => walk(item, isSecret, depth + 1))
      return items.some((item, index) => item !== value[index]) ? items : value
    }
    let copy: [string, JsonValue | undefined][] | undefined
    const entries = Object.entries(value)
    for (const [index, [name, member]] of entries.entries()) {
      if (member === undefined) continue
      const shown = walk(member, isSecretName(name), depth + 1)
      if (shown === member) continue
      copy ??= [...entries]
      copy[index] = [name, shown]
    }
    return copy === undefined ? value : Object.fromEntries(copy)
  }

  /** By the masker, which leaves the scheme of a credential. */
  function maskText(text: string): string {
    return findIn({ token: text }).token
  }

  return (value) => walk(value, false, 0)
}

/** Signed tokens show by their form, whatever the name they stand under. */
function withoutTokens(text: string): string {
  if (!text.includes('eyJ')) return text
  return text.replaceAll(/\beyJ[\w-]{5,}\.eyJ[\w-]{5,}\.[\w-]*/g, mask)
}

/** Deeper than anything that is shown. */
const deepest = 200

function isArray(value: JsonValue): value is readonly JsonValue[] & JsonValue {
  return Array.isArray(value)
}

import type { JsonValue } from '@parley/mcp'

/** What stands in the place of a secret. */
export const masked = '••••••'

/** Takes out of a value what nobody else should read. */
export type Mask = (value: JsonValue) => JsonValue

/** Names whose texts are secrets; `progressToken`, `maxTokens` and the like are not. */
const secretName =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|dpop|password|passphrase|passwd|pwd|client_secret|code_verifier|client_assertion|id_token|private_?key)$|(?:^|[^a-z])(?:access|refresh|auth|bearer|api|session|csrf|secret|id)[_-]?token$|^token$|secret|api[_-]?key|private[_-]?key/i

/** Masks texts by the names they stand under, and known secrets wherever they stand. */
export function maskValue(value: JsonValue, known: ReadonlySet<string> = new Set()): JsonValue {
  return walk(value, known, 0)
}

/** Deeper than anything that is shown. */
const deepest = 200

function walk(value: JsonValue, known: ReadonlySet<string>, depth: number): JsonValue {
  if (typeof value === 'string') return withoutKnown(value, known)
  if (value === null || typeof value !== 'object' || depth > deepest) return value
  if (isArray(value)) {
    const items = value.map((item) => walk(item, known, depth + 1))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  let copy: { [name: string]: JsonValue | undefined } | undefined
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    const isSecret = typeof member === 'string' && member !== '' && secretName.test(name)
    const shown = isSecret ? masked : walk(member, known, depth + 1)
    if (shown === member) continue
    copy ??= { ...value }
    Object.defineProperty(copy, name, {
      value: shown,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return copy ?? value
}

function withoutKnown(text: string, known: ReadonlySet<string>): string {
  let shown = text
  for (const secret of known) {
    if (secret.length >= 6 && shown.includes(secret)) shown = shown.replaceAll(secret, masked)
  }
  return shown
}

function isArray(value: JsonValue): value is readonly JsonValue[] & JsonValue {
  return Array.isArray(value)
}

import { isSecretName } from './secret-names.ts'

/** The text in place of a secret. */
export const mask = '••••••'

/**
 * A copy without secrets: the values of names that are secret, and every known value wherever it stands, also inside
 * other texts and in other spellings. The shape stays.
 */
export function maskSecrets<T>(value: T, secrets: Iterable<string> = []): T {
  const find = createFinder(secrets)
  return maskValue(value, find, 0) as T // every member is kept, texts become texts
}

/** The same for many values with the same secrets, as traces have them. */
export function createMasker(secrets: Iterable<string>): <T>(value: T) => T {
  const find = createFinder(secrets)
  return <T>(value: T) => maskValue(value, find, 0) as T // as above
}

type Finder = (text: string) => string

const deepest = 200

function maskValue(value: unknown, find: Finder, depth: number): unknown {
  if (typeof value === 'string') return find(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return mask
  if (Array.isArray(value)) return value.map((each: unknown) => maskValue(each, find, depth + 1))
  const pairs = Object.entries(value).map(([name, each]: [string, unknown]) => [
    find(name),
    isSecretName(name) ? maskAll(each, find, depth + 1) : maskValue(each, find, depth + 1),
  ])
  return Object.fromEntries(pairs) as unknown
}

/** Under a secret name every text is one. An object is looked into: in a schema it describes the secret, and is none. */
function maskAll(value: unknown, find: Finder, depth: number): unknown {
  if (typeof value === 'string') return maskText(value)
  if (typeof value === 'number') return mask
  if (Array.isArray(value)) return value.map((each) => maskAll(each, find, depth + 1))
  return maskValue(value, find, depth)
}

/** The scheme of a credential is no secret, and helps to see what was sent. */
function maskText(text: string): string {
  if (text === '') return text
  const [, scheme] = /^(Bearer|Basic|DPoP|Digest) +\S/i.exec(text) ?? []
  return scheme === undefined ? mask : `${scheme} ${mask}`
}

function createFinder(secrets: Iterable<string>): Finder {
  const spellings = new Set<string>()
  for (const value of secrets) {
    if (value.length < shortest) continue
    spellings.add(value)
    spellings.add(encodeURIComponent(value))
    spellings.add(JSON.stringify(value).slice(1, -1))
    spellings.add(Buffer.from(value).toString('base64'))
  }
  if (spellings.size === 0) return maskCredentials
  // The longest first: one secret may be the beginning of another.
  const ordered = [...spellings].toSorted((a, b) => b.length - a.length)
  const pattern = new RegExp(ordered.map(escapePattern).join('|'), 'g')
  return (text) => maskCredentials(text.replace(pattern, mask))
}

/** Shorter values would mask half of everything. */
const shortest = 4

/** Credentials show by their form, whatever the name they stand under. */
function maskCredentials(text: string): string {
  if (text.length < 8) return text
  return text
    .replaceAll(credential, `$1 ${mask}`)
    .replaceAll(/(:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g, `$1${mask}`)
    .replaceAll(/([?&#][\w-]*(?:token|secret|password|key)[\w-]*=)[^&\s#"']+/gi, `$1${mask}`)
}

/** A scheme and its credentials; what a challenge says behind its scheme is for everybody to read. */
const credential =
  /\b(Bearer|Basic|DPoP) +(?!(?:realm|scope|error|error_description|error_uri|resource|resource_metadata|algs|max_age|acr_values) *=)[\w.~+/=-]{8,}/gi

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

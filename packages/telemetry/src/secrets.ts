/** A value whose members that are named like secrets are covered. */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return cover
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secretName.test(name) ? cover : withoutSecrets(member, depth + 1),
    ]),
  )
}

/** A text for people, such as a message or an address, in which what looks like a credential is covered. Cut at `most`. */
export function withoutCredentials(text: string, most: number): string {
  const shown = text.length <= most ? text : `${text.slice(0, most)}…`
  return credentials.reduce((existing, [pattern, by]) => existing.replace(pattern, by), shown)
}

const cover = '***'
const deepest = 50
const names =
  'pass(?:word|wd|phrase)|secret|token|api[-_]?key|credential|authorization|cookie|private[-_]?key'
const secretName = new RegExp(names, 'i')

const credentials: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/\b(bearer|basic|dpop)\s+[\w.~+/=-]{6,}/gi, `$1 ${cover}`],
  [/\beyJ[\w-]{6,}\.[\w-]+\.[\w-]*/g, cover],
  [/(:\/\/)[^/\s@]{1,256}@/g, `$1${cover}@`],
  [
    new RegExp(`([?&;][\\w-]{0,32}(?:${names}|sig|signature|code)[\\w-]{0,32}=)[^&#\\s]+`, 'gi'),
    `$1${cover}`,
  ],
]

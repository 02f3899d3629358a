/** What lines of names and values say, and what is wrong with those that say nothing. */
export interface ReadPairs {
  readonly pairs: { readonly [name: string]: string }
  /** One sentence each, with the line. */
  readonly problems: readonly string[]
}

const kinds = {
  '=': { name: /^[^\s=\0]+$/, form: 'NAME=value' },
  ':': { name: /^[\w!#$%&'*+.^`|~-]+$/, form: 'Name: value' },
} as const

/** Reads lines of `NAME=value` or `Name: value`. Empty lines are skipped; every other line counts or is a fault. */
export function readPairs(text: string, separator: '=' | ':'): ReadPairs {
  const { name: pattern, form } = kinds[separator]
  const pairs = new Map<string, string>()
  const problems: string[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const at = line.indexOf(separator)
    const name = line.slice(0, Math.max(0, at)).trim()
    const where = `Line ${index + 1}`
    if (at === -1) problems.push(`${where} has no “${separator}”: write ${form}`)
    else if (name === '') problems.push(`${where} has no name: write ${form}`)
    else if (!pattern.test(name)) problems.push(`${where}: “${cut(name)}” is not a name`)
    else if (isUsed(pairs, name, separator)) problems.push(`${where}: ${cut(name)} is given twice`)
    else pairs.set(name, line.slice(at + 1).trim())
  }
  return { pairs: Object.fromEntries(pairs), problems: problems }
}

/** Names of headers differ by more than their case. */
function isUsed(pairs: ReadonlyMap<string, string>, name: string, separator: '=' | ':'): boolean {
  if (separator === '=') return pairs.has(name)
  return [...pairs.keys()].some((taken) => taken.toLowerCase() === name.toLowerCase())
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

/** Names and values as lines. */
export function writePairs(
  pairs: { readonly [name: string]: string } | undefined,
  separator: '=' | ': ',
): string {
  return Object.entries(pairs ?? {})
    .map(([name, value]) => `${name}${separator}${value}`)
    .join('\n')
}

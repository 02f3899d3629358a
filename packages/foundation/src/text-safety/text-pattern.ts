/**
 * Something to look for in texts. Each takes time linear in the text: a run of letters is entered at its beginning alone
 * (by the look-behind), and what may repeat ends where the next part begins.
 */
export interface TextPattern {
  /** The kind of finding, in one or two words. */
  readonly name: string
  /** One of these is in every match; texts without them are not looked at further. */
  readonly hints: readonly string[]
  /** With `g`. */
  readonly pattern: RegExp
  /** For what cannot be said by a pattern: a check digit. */
  readonly isReal?: ((match: string) => boolean) | undefined
}

/** The findings in a text, and the text without them. */
export interface Scan {
  /** The names of the patterns that matched. */
  readonly found: readonly string[]
  /** The text with `[redacted: …]` in the place of each match. */
  readonly redacted: string
}

/** Looks for all patterns. The same text comes back if nothing was found. */
export function scanText(text: string, patterns: readonly TextPattern[]): Scan {
  const found: string[] = []
  let redacted = text
  for (const { name, hints, pattern, isReal } of patterns) {
    if (!hints.some((hint) => redacted.includes(hint))) continue
    let isFound = false
    redacted = redacted.replace(pattern, (match) => {
      if (isReal !== undefined && !isReal(match)) return match
      isFound = true
      return `[redacted: ${name}]`
    })
    if (isFound) found.push(name)
  }
  return { found, redacted }
}

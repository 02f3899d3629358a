const tailShare = 0.25

/** Head, tail and shape of a long text. */
export function excerptOf(text: string, maxCharacters: number, handle: string): string {
  const tailLength = Math.floor(maxCharacters * tailShare)
  const headLength = maxCharacters - tailLength
  const left = text.length - headLength - tailLength
  return [
    `(${shapeOf(text)}. It is kept as ${handle}: read more with read_result.)`,
    text.slice(0, headLength),
    `… ${left} characters left out; read_result {"handle":"${handle}","offset":${headLength}} continues here …`,
    text.slice(-tailLength),
  ].join('\n')
}

/** Describes a text in a few words. */
function shapeOf(text: string): string {
  const size = `${text.length} characters`
  const first = text.trimStart()[0]
  if (first === '[' || first === '{') {
    try {
      const value: unknown = JSON.parse(text)
      if (Array.isArray(value)) return `JSON, an array of ${value.length} items, ${size}`
      const names = Object.keys(value as object) // it began with a brace
      const shown = names
        .slice(0, 20)
        .map((name) => name.slice(0, 40))
        .join(', ')
      return `JSON, an object with ${names.length} members (${shown}${names.length > 20 ? ', …' : ''}), ${size}`
    } catch {
      // text that only looks like JSON
    }
  }
  return `text of ${text.split('\n').length} lines, ${size}`
}

const maxCharacters = 1_000_000

/** A list as JSON: the first of its values that fit together. */
export function fitting(values: readonly unknown[], most = maxCharacters): string {
  const texts: string[] = []
  let length = 2
  for (const value of values) {
    const text = JSON.stringify(value) ?? 'null'
    length += text.length + 1
    if (length > most) break
    texts.push(text)
  }
  return `[${texts.join(',')}]`
}

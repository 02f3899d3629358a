/** Decodes one captured value; undefined when it is not UTF-8, or longer than `{name:n}` allows. */
export function decodeValue(raw: string, maxLength: number | undefined): string | undefined {
  const value = decodePercent(raw)
  if (value === undefined || maxLength === undefined) return value
  return Array.from(value).length > maxLength ? undefined : value
}

function decodePercent(raw: string): string | undefined {
  if (!raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    return undefined // not UTF-8: the answer is that it does not match
  }
}

/** Percent-encodes all that may not stand in a URI, leaving reserved characters and encoded triplets alone. */
export function encodeReserved(text: string): string {
  return text.replaceAll(notInUri, encodeURIComponent).replaceAll(loneSurrogate, encodedReplacement)
}

const notInUri = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%\p{Surrogate}]+|%(?![0-9A-Fa-f]{2})/gu
/** With the `u` flag a surrogate in a pair is not one. */
export const loneSurrogate = /\p{Surrogate}/gu
const encodedReplacement = '%EF%BF%BD'

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

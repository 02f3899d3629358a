/** Percent-encodes all that may not stand in a URI, leaving reserved characters and encoded triplets alone. */
export function encodeReserved(text: string): string {
  return text.replaceAll(notInUri, encodeURIComponent).replaceAll(loneSurrogate, encodedReplacement)
}

const notInUri = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%\p{Surrogate}]+|%(?![0-9A-Fa-f]{2})/gu
/** With the `u` flag a surrogate in a pair is not one. */
export const loneSurrogate = /\p{Surrogate}/gu
const encodedReplacement = '%EF%BF%BD'

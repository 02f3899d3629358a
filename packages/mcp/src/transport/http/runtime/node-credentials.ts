import type { IncomingMessage } from 'node:http'

/** `Authorization`. Node keeps the first of several, and who sends two must not have us choose. */
export function credentialsOf({ rawHeaders, headers }: IncomingMessage): string | undefined {
  const isCredential = (text: string, index: number) =>
    index % 2 === 0 && text.length === 13 && text.toLowerCase() === 'authorization'
  const last = rawHeaders.findLastIndex(isCredential)
  if (last === rawHeaders.findIndex(isCredential)) return headers.authorization
  return rawHeaders
    .filter((_, index) => isCredential(rawHeaders[index - 1] ?? '', index - 1))
    .join(', ')
}

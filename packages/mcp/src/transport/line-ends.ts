/** How much of each end of a line that is too long is looked at. */
export const endBytes = 1024

/**
 * A message by the two ends of its line, with null for all between: whoever waits for it can still be told. Nothing
 * unless they say for certain what it is. Plain values that follow the first brace are members of the message, and so
 * are those before the last: within a text every quote is escaped.
 */
export function messageByEnds(head: Buffer, tail: Buffer): object | undefined {
  const start = /^\s*{(\s*"\w+"\s*:\s*("([^"\\]|\\.)*"|[\w.+-]+)\s*,)*\s*"\w+"\s*:/.exec(
    head.toString(),
  )
  const end = /(,\s*"\w+"\s*:\s*("([^"\\]|\\.)*"|[\w.+-]+)\s*)*}\s*$/.exec(tail.toString())
  try {
    const message = JSON.parse(`${start?.[0]}null${end?.[0]}`) as object // begins with a brace, or is not JSON
    const tells =
      'id' in message && ('method' in message || 'result' in message || 'error' in message)
    return tells ? message : undefined
  } catch {
    return undefined // an end that is missing, too
  }
}

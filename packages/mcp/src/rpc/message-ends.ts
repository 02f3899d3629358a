/** How much of each end of a message is looked at, in characters or bytes. */
export const endLength = 1024

/**
 * A message by the two ends of its text, with null for all between: whoever waits for it can still be told. Undefined
 * unless they say for certain what it is. Plain values that follow the first brace are members of the message, and so
 * are those before the last: within a text every quote is escaped.
 */
export function messageByEnds(head: string, tail: string): object | undefined {
  const start = /^\s*{(\s*"\w+"\s*:\s*("([^"\\]|\\.)*"|[\w.+-]+)\s*,)*\s*"\w+"\s*:/.exec(head)
  const end = /(,\s*"\w+"\s*:\s*("([^"\\]|\\.)*"|[\w.+-]+)\s*)*}\s*$/.exec(tail)
  try {
    const message = JSON.parse(`${start?.[0]}null${end?.[0]}`) as object // begins with a brace, or is not JSON
    const tells =
      'method' in message || ('id' in message && ('result' in message || 'error' in message))
    return tells ? message : undefined
  } catch {
    return undefined // an end that is missing, too
  }
}

/** The same for a text that is at hand. */
export function endsOf(text: string): object | undefined {
  return messageByEnds(text.slice(0, endLength), text.slice(-endLength))
}

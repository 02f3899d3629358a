/** The beginning of an answer's text, and no more than that is waited for. */
export async function readText(
  { body }: Pick<Response, 'body'>,
  maxLetters: number,
): Promise<string> {
  const decoder = new TextDecoder()
  const parts: string[] = []
  let length = 0
  const reader = body?.getReader()
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {}
    if (done) break
    const part = decoder.decode(value, { stream: true })
    parts.push(part)
    length += part.length
    if (length < maxLetters) continue
    reader?.cancel().catch(() => undefined) // not waited for: that of a clone settles with what it is a clone of
    break
  }
  return parts.join('').slice(0, maxLetters)
}

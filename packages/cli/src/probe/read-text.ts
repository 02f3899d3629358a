/** The beginning of an answer's text, and no more than that is waited for. */
export async function readText(response: Response, mostLetters: number): Promise<string> {
  const decoder = new TextDecoder()
  const parts: string[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    const part = decoder.decode(chunk, { stream: true })
    parts.push(part)
    length += part.length
    if (length >= mostLetters) break
  }
  return parts.join('').slice(0, mostLetters)
}

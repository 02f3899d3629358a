/** One event of a stream, or a comment. */
export interface SseEvent {
  readonly id?: string
  readonly event?: string
  readonly data?: string
  readonly retry?: string
  readonly comment?: string
}

/** Reads events as they arrive; what follows the last empty line is no event. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) yield parseEvent(block)
  }
}

function parseEvent(block: string): SseEvent {
  const fields = block.split('\n').map((line) => {
    const colon = line.indexOf(':')
    return [colon === 0 ? 'comment' : line.slice(0, colon), line.slice(colon + 1).trim()] as const
  })
  return Object.fromEntries(fields)
}

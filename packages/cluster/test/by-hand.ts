/** An event of a stream, as far as tests look at it. */
export interface StreamEvent {
  readonly id: string
  readonly data: string
}

export type SessionHeaders = Readonly<Record<string, string>>

/** Opens a session at one process, for requests to any. `more` headers go with each of them. */
export async function openSession(url: URL, more: SessionHeaders = {}): Promise<SessionHeaders> {
  const version = { 'mcp-protocol-version': '2025-11-25', ...more }
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {}, sampling: {}, roots: {} },
      clientInfo: { name: 'by-hand', version: '1.0.0' },
    },
  }
  const opened = await post(url, more, initialize)
  const headers = { ...version, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  await opened.text()
  await post(url, headers, { jsonrpc: '2.0', method: 'notifications/initialized' })
  return headers
}

export function post(
  url: URL,
  headers: SessionHeaders,
  body: object,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
    signal: signal ?? null,
  })
}

/** Goes on after an event. */
export function resume(url: URL, session: SessionHeaders, id: string): Promise<Response> {
  const headers = { ...session, accept: 'text/event-stream', 'last-event-id': id }
  return fetch(url, { headers })
}

/** The events of a stream until there are enough, or it ends. */
export async function readEvents(
  response: Response,
  isEnough: (events: readonly StreamEvent[]) => boolean = () => false,
): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = []
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const id = /^id: ?(.*)$/m.exec(block)?.[1]
      const data = /^data: ?(.*)$/m.exec(block)?.[1]
      if (id !== undefined && data !== undefined) events.push({ id, data })
    }
    if (isEnough(events)) break
  }
  return events
}

export function progressIn(events: readonly StreamEvent[]): readonly number[] {
  return events.flatMap(({ data }) => {
    const { params } = JSON.parse(data === '' ? '{}' : data) as { params?: { progress?: number } }
    return params?.progress === undefined ? [] : [params.progress]
  })
}

import process from 'node:process'

import type { TraceTap } from '@parley/foundation/trace'
import { errorMessage } from '@parley/mcp/json'

/**
 * A `fetch` that records what HTTP says besides the messages. Undefined where a proxy is set: only the client's own
 * requests go through it.
 */
export function recordingFetch(tap: TraceTap, isQuiet: () => boolean): typeof fetch | undefined {
  const { HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy } = process.env
  if (HTTP_PROXY ?? HTTPS_PROXY ?? http_proxy ?? https_proxy) return undefined
  let count = 0

  return async (input, init) => {
    if (isQuiet()) return fetch(input, init)
    const stream = `http-${(count += 1)}`
    const method = init?.method ?? 'GET'
    const url = input instanceof Request ? input.url : String(input)
    const start = performance.now()
    const request = carried(init?.body, tap)
    const { seq: parent } = tap.add({
      kind: 'http',
      direction: 'out',
      stream,
      ...(request !== undefined && { parent: request }),
      text: `${method} ${url}`,
      details: { method, url, headers: headersOf(new Headers(init?.headers)) },
    })
    try {
      const response = await fetch(input, init)
      tap.add({
        kind: 'http',
        direction: 'in',
        stream,
        parent,
        text: `${response.status} ${response.statusText}`.trim(),
        details: {
          method,
          url,
          status: response.status,
          durationMs: performance.now() - start,
          headers: headersOf(response.headers),
        },
      })
      return response
    } catch (error) {
      const why = errorMessage(error)
      tap.add({
        kind: 'http',
        direction: 'in',
        stream,
        parent,
        text: why,
        details: { method, url, failed: true },
      })
      throw error
    }
  }
}

function headersOf(headers: Headers): { [name: string]: string } {
  return Object.fromEntries([...headers].map(([name, value]) => [name, value]))
}

/** Which request of ours a body carries; ours begin with their id and method, our answers have no method. */
function carried(body: unknown, tap: TraceTap): number | undefined {
  if (typeof body !== 'string') return undefined
  const begin = /^\{"jsonrpc":"2\.0","id":(\d{1,15}|"[^"\\]{1,200}"),"method":/
  const [, id] = begin.exec(body) ?? []
  return id === undefined ? undefined : tap.requestOf(JSON.parse(id) as string | number) // one of both by its form
}

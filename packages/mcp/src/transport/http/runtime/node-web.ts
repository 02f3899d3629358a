import type { ServerResponse } from 'node:http'

import { parseUrl } from '../../../rpc/address/parse-url.ts'
import type { NodeRequest } from './node.ts'

/** A request of Node as a web-standard one. Its body is not touched before somebody reads it. */
export function toWebRequest(request: NodeRequest, origin: string): Request | undefined {
  const { method = 'GET', originalUrl, url, rawHeaders } = request
  const target = originalUrl ?? url ?? '/'
  if (!target.startsWith('/') || parseUrl(`${origin}${target}`) === undefined) return undefined
  const headers = new Headers()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  }
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? (parsedBody(request) ?? lazyBody(request)) : undefined
  const init = { method, headers, ...(body !== undefined && { body, duplex: 'half' as const }) }
  try {
    return new Request(`${origin}${target}`, init)
  } catch {
    return undefined // a method that `fetch` does not know; nobody answers that
  }
}

/** A body that a framework has read already. */
function parsedBody({ body, headers }: NodeRequest): string | undefined {
  if (body === undefined || typeof body === 'string') return body
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  if (!isForm || typeof body !== 'object' || body === null) return JSON.stringify(body)
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body)) form.append(name, String(value))
  return form.toString()
}

const maxBytes = 1024 * 1024

function lazyBody(request: NodeRequest): ReadableStream<Uint8Array> {
  let chunks: AsyncIterator<Buffer> | undefined
  let length = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        chunks ??= request[Symbol.asyncIterator]() as AsyncIterator<Buffer> // no encoding was set
        const { done, value } = await chunks.next()
        if (done) return controller.close()
        length += value.byteLength
        if (length > maxBytes) throw new Error(`a body of more than ${maxBytes} bytes`)
        controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Writes a web-standard response, each cookie on a line of its own. */
export async function writeResponse(response: ServerResponse, answer: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer())
  if (response.headersSent || response.destroyed) return
  for (const [name, value] of answer.headers) {
    if (name !== 'set-cookie') response.setHeader(name, value)
  }
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
  response.writeHead(answer.status)
  response.end(body)
}

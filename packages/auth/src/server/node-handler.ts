import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

import type { SignInCaller } from './caller.ts'

/** Answers a request of Node's HTTP server with a function for `fetch` requests. */
export async function respondOnNode(
  request: IncomingMessage,
  response: ServerResponse,
  options: {
    readonly origin: string
    readonly answer: (request: Request, caller: SignInCaller) => Promise<Response>
  },
): Promise<void> {
  const { origin, answer } = options
  try {
    const address = request.socket.remoteAddress
    await write(await answer(toRequest(request, origin), { address }), response)
  } catch {
    // A request that is none, or somebody who has gone: there is nobody to tell more.
    if (!response.headersSent) response.writeHead(400)
    response.end()
  }
}

function toRequest(request: IncomingMessage, origin: string): Request {
  const { method = 'GET', url = '/' } = request
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  // Below the issuer's origin, whatever is written in front of the path.
  const target = new URL(url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/^\/*/, '/'), origin)
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(target, {
    method,
    headers,
    ...(hasBody && { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' }), // one and the same at run time
  })
}

async function write(answer: Response, response: ServerResponse): Promise<void> {
  const { status, headers } = answer
  for (const [name, value] of headers) {
    if (name !== 'set-cookie') response.setHeader(name, value)
  }
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
  response.writeHead(status)
  response.end(Buffer.from(await answer.arrayBuffer()))
}

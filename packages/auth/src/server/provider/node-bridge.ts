import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** A request as the provider gets it. */
export interface BridgedRequest {
  readonly method: string
  /** Path and query below the issuer. */
  readonly target: string
  readonly headers: Headers
  readonly body: Uint8Array | undefined
}

/** Answers with Node's request and response. */
export type NodeResponse = (request: IncomingMessage, response: ServerResponse) => unknown

/**
 * Lets code for Node's HTTP server answer without one. Host and scheme are always those of the issuer, whatever the caller
 * wrote, so that no address in an answer is the caller's choice.
 */
export function createNodeBridge(issuer: URL, basePath: string) {
  const isSecure = issuer.protocol === 'https:'

  return (bridged: BridgedRequest, answer: NodeResponse): Promise<Response> => {
    const request = createRequest(bridged)
    const response = new ServerResponse(request)
    const outcome = collect(response, bridged.method)
    return Promise.race([
      outcome,
      // Never wins on success: the answer then comes from what was collected.
      Promise.resolve(answer(request, response)).then(() => outcome),
    ])
  }

  function createRequest({ method, target, headers, body }: BridgedRequest): IncomingMessage {
    const socket = Object.defineProperty(new Socket(), 'encrypted', { value: isSecure })
    const request = new IncomingMessage(socket)
    request.method = method
    request.url = target
    request.httpVersion = '1.1'
    for (const [name, value] of headers) request.headers[name] = value
    for (const name of Object.keys(request.headers)) {
      if (/^(?:x-)?forwarded|^transfer-encoding$/.test(name)) delete request.headers[name]
    }
    request.headers.host = issuer.host
    if (body === undefined) delete request.headers['content-length']
    else request.headers['content-length'] = String(body.byteLength)
    // Read by the provider to find out what it is mounted at.
    Object.assign(request, { originalUrl: `${basePath}${target}` })
    if (body !== undefined) request.push(body)
    request.push(null)
    return request
  }
}

function collect(response: ServerResponse, method: string): Promise<Response> {
  const chunks: Buffer[] = []
  return new Promise((resolve) => {
    function add(chunk: unknown): void {
      if (typeof chunk === 'string') chunks.push(Buffer.from(chunk))
      else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
    }
    response.write = (chunk: unknown) => {
      add(chunk)
      return true
    }
    response.end = (chunk?: unknown) => {
      add(chunk)
      resolve(toResponse(response, method, Buffer.concat(chunks)))
      response.emit('finish')
      return response
    }
  })
}

function toResponse(response: ServerResponse, method: string, body: Buffer): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (name === 'transfer-encoding' || name === 'content-length' || value === undefined) continue
    for (const item of Array.isArray(value) ? value : [value]) headers.append(name, String(item))
  }
  const { statusCode: status } = response
  const hasBody = method !== 'HEAD' && ![204, 205, 304].includes(status)
  return new Response(hasBody ? new Uint8Array(body) : null, { status, headers })
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { chatWire } from './model-wire/chat-wire.ts'
import { messagesWire } from './model-wire/messages-wire.ts'
import { responsesWire } from './model-wire/responses-wire.ts'
import type { EndpointAnswer, Frame, Wire, WireBody } from './model-wire/wire.ts'

/** An answer that is none: 401, 429, 500 and so on. */
export interface EndpointRefusal {
  readonly status: number
  readonly headers?: { readonly [name: string]: string } | undefined
  /** Text as it is, anything else as JSON. @defaultValue the provider's form of an error */
  readonly body?: unknown
  readonly message?: string | undefined
}

export type EndpointTurn =
  | string
  | EndpointAnswer
  | EndpointRefusal
  | ((request: EndpointRequest) => string | EndpointAnswer | EndpointRefusal)

export type EndpointApi = 'chat' | 'responses' | 'messages'

export interface EndpointRequest {
  readonly api: EndpointApi
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: WireBody
  /** 0 for the first one. */
  readonly index: number
  /** Whether the caller waited for the end. */
  readonly ended: Promise<'answered' | 'aborted'>
}

export interface ModelEndpoint extends AsyncDisposable {
  readonly origin: string
  readonly port: number
  /** What programs are given as the base URL: the origin with `/v1`. */
  readonly baseUrl: string
  readonly requests: readonly EndpointRequest[]
  /** Resolves as soon as there are this many requests. */
  arrived(count: number): Promise<void>
}

export interface ModelEndpointOptions {
  /** Requests without it are refused with 401. */
  readonly key?: string | undefined
  /** What `GET /models` lists. @defaultValue stub-model */
  readonly models?: readonly string[] | undefined
}

const wires: { readonly [api in EndpointApi]: Wire } = {
  chat: chatWire,
  responses: responsesWire,
  messages: messagesWire,
}
const paths: readonly (readonly [end: string, api: EndpointApi])[] = [
  ['/chat/completions', 'chat'],
  ['/responses', 'responses'],
  ['/messages', 'messages'],
]

/** More than any test needs: a loop that runs away ends here. */
const mostRequests = 500
const maxBytes = 32 * 1024 * 1024

/**
 * A model's endpoint on loopback that speaks three wire formats, streaming and not: OpenAI's chat completions and
 * responses, Anthropic's messages. It answers from a script, one turn per request (the last one for all that follow),
 * and refuses what the provider would refuse, such as a call without its result.
 */
export async function openModelEndpoint(
  script: readonly EndpointTurn[] | EndpointTurn,
  options: ModelEndpointOptions = {},
): Promise<ModelEndpoint> {
  const requests: EndpointRequest[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://loopback').pathname
    if (request.method === 'GET' && path.endsWith('/models')) {
      const data = (options.models ?? ['stub-model']).map((id) => ({ id, object: 'model' }))
      return sendJson(response, 200, { object: 'list', data })
    }
    const [, api] = paths.find(([end]) => path.endsWith(end)) ?? []
    if (request.method !== 'POST' || api === undefined) {
      return sendJson(response, 404, { error: { message: `nothing at ${path}` } })
    }
    const body = await readBody(request)
    const wire = wires[api]
    const index = requests.length
    const ended = new Promise<'answered' | 'aborted'>((resolve) => {
      response.once('close', () => resolve(response.writableFinished ? 'answered' : 'aborted'))
    })
    const seen: EndpointRequest = { api, path, headers: request.headers, body, index, ended }
    requests.push(seen)
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve()
    if (!isAllowed(request, options.key)) {
      return sendJson(response, 401, wire.error(401, 'Incorrect API key provided.'))
    }
    if (index >= mostRequests) return sendJson(response, 500, wire.error(500, 'too many requests'))
    const problem = wire.problem(body)
    if (problem !== undefined) return sendJson(response, 400, wire.error(400, problem))
    await answer(wire, turnOf(script, seen), seen, response)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    port,
    baseUrl: `${origin}/v1`,
    requests,
    async arrived(count) {
      if (requests.length >= count) return
      await new Promise<void>((resolve) => waiting.push({ count, resolve }))
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(
  wire: Wire,
  turn: EndpointAnswer | EndpointRefusal,
  seen: EndpointRequest,
  response: ServerResponse,
): Promise<void> {
  if ('status' in turn) {
    const { status, headers, message = `refused with ${status}` } = turn
    return sendJson(response, status, turn.body ?? wire.error(status, message), headers)
  }
  const request = { model: String(seen.body['model']), index: seen.index }
  await waitForSignal(turn.waitFor)
  if (seen.body['stream'] !== true) {
    if (turn.cut !== undefined) return void response.destroy()
    return sendJson(response, 200, wire.body(turn, request))
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.flushHeaders()
  const isWhole = turn.cut === undefined && turn.errorInStream === undefined
  let hasPaused = false
  for (const frame of wire.frames(turn, request)) {
    if (frame.isEnd === true && !isWhole) break
    await write(response, frame)
    if (frame.hasContent !== true || hasPaused) continue
    hasPaused = true
    await waitForSignal(turn.pauseUntil)
  }
  if (turn.errorInStream !== undefined) await write(response, wire.errorFrame(turn.errorInStream))
  if (turn.cut === 'connection') response.destroy()
  else response.end()
}

/** Resolves when it has left this process, so that a cut comes behind it. */
async function write(response: ServerResponse, { event, data }: Frame): Promise<void> {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const name = event === undefined ? '' : `event: ${event}\n`
  await new Promise((resolve) => response.write(`${name}data: ${text}\n\n`, resolve))
}

function turnOf(
  script: readonly EndpointTurn[] | EndpointTurn,
  request: EndpointRequest,
): EndpointAnswer | EndpointRefusal {
  const turns = Array.isArray(script)
    ? (script as readonly EndpointTurn[])
    : [script as EndpointTurn] // by the check
  const turn = turns[Math.min(request.index, turns.length - 1)] ?? ''
  const given = typeof turn === 'function' ? turn(request) : turn
  return typeof given === 'string' ? { text: given } : given
}

async function waitForSignal(wait: EndpointAnswer['waitFor']): Promise<void> {
  await (typeof wait === 'function' ? wait() : wait)
}

function isAllowed(request: IncomingMessage, key: string | undefined): boolean {
  const { authorization } = request.headers
  return (
    key === undefined || authorization === `Bearer ${key}` || request.headers['x-api-key'] === key
  )
}

async function readBody(request: IncomingMessage): Promise<WireBody> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    const part = chunk as Buffer // no encoding is set
    bytes += part.length
    if (bytes > maxBytes) throw new Error('the body is too large')
    chunks.push(part)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as WireBody // an object, or the test is wrong
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: { readonly [name: string]: string } = {},
): void {
  const isText = typeof body === 'string'
  response.writeHead(status, {
    'content-type': isText ? 'text/html' : 'application/json',
    ...headers,
  })
  response.end(isText ? body : JSON.stringify(body))
}

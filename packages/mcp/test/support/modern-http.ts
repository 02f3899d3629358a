import { type JsonObject, revisions } from '@parley/mcp'
import type { HttpOptions } from '@parley/mcp/http'
import type { Server } from '@parley/mcp/server'

import { mirroredHeaders } from '../../src/wire/headers.ts'
import { eventsOf, messagesOf, openEndpoint, type Endpoint, type Entry } from './http-endpoint.ts'
import { envelope } from './modern-client.ts'
import type { Raw } from './raw-channel.ts'

export interface StandalonePost {
  readonly id?: string | number
  readonly capabilities?: object
  /** Added to the envelope. */
  readonly meta?: object
  /** Instead of the envelope. */
  readonly bareMeta?: object
  /** Beside or instead of those that repeat the body; undefined leaves one out. */
  readonly headers?: Record<string, string | undefined>
  readonly signal?: AbortSignal
}

/** A server reached by hand with requests that stand for themselves, one POST each. */
export interface StandaloneEndpoint extends Endpoint {
  /** The response as it comes. */
  send(method: string, params?: object, post?: StandalonePost): Promise<Response>
  /** Its status and the last message in it. */
  ask2026(method: string, params?: object, post?: StandalonePost): Promise<Answered>
}

export interface Answered extends Raw {
  readonly status: number
  readonly headers: Headers
  /** What came before the last. */
  readonly before: readonly Raw[]
}

/** Serves every revision unless told otherwise. */
export async function openStandaloneEndpoint(
  entry: Entry,
  server: Server,
  options: HttpOptions = {},
): Promise<StandaloneEndpoint> {
  const endpoint = await openEndpoint(entry, server, { revisions, ...options })

  function send(
    method: string,
    params: object = {},
    { id = 1, capabilities, meta, bareMeta, headers = {}, signal }: StandalonePost = {},
  ): Promise<Response> {
    const whole = { ...params, _meta: bareMeta ?? envelope(capabilities, meta) } as JsonObject // made of JSON
    const repeated = mirroredHeaders({ method, params: whole }, '2026-07-28')
    const given = Object.entries({ ...repeated, ...headers }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    )
    return endpoint.post(
      { jsonrpc: '2.0', id, method, params: whole },
      { headers: Object.fromEntries(given), ...(signal && { signal }) },
    )
  }

  return {
    ...endpoint,
    send,
    async ask2026(method, params, post) {
      return readAnswer(await send(method, params, post))
    },
    [Symbol.asyncDispose]: endpoint[Symbol.asyncDispose],
  }
}

/** All of a response: the last message, and what came before it. */
export async function readAnswer(response: Response): Promise<Answered> {
  const { status, headers } = response
  const isStream = headers.get('content-type') === 'text/event-stream'
  const messages = isStream
    ? messagesOf(await eventsOf(response).rest())
    : textMessages(await response.text())
  return { ...messages.at(-1), status, headers, before: messages.slice(0, -1) }
}

function textMessages(text: string): readonly Raw[] {
  return text === '' ? [] : [JSON.parse(text) as Raw]
}

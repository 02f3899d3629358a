import { createHttpRequester } from '#http-request'

import type { ClientAuth } from '../../client/client-auth.ts'
import type { TransportLink } from '../../client/connection/transport-link.ts'
import type { ReconnectOptions } from '../../client/options.ts'
import { systemClock, type Clock } from '../../rpc/clock.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { resolveLimits, type Limits } from '../../rpc/limits.ts'
import { markHandled } from '../../rpc/promise.ts'
import { type Transport, iterateMessages } from '../../rpc/transport.ts'
import type { Channel, ChannelContext } from './channel.ts'
import { createEndpoint } from './endpoint.ts'
import { describeOutgoing, type Outgoing } from './outgoing-request.ts'
import { createFetchRequester } from './request/fetch-request.ts'
import { basicAuthorization, checkHeaders } from './request/headers.ts'
import type { HttpHeaders } from './request/http-request.ts'
import type { SseOptions } from './sse-channel.ts'
import { createStreamableChannel } from './streamable-channel.ts'
import { createInboundQueue } from './streams/delivery.ts'

export interface HttpTransportOptions {
  /** Which of the two ways. @defaultValue the newer one, and the older if the server knows only that */
  readonly type?: 'http' | 'sse' | undefined
  /** With every request; never sent to another origin. */
  readonly headers?: HttpHeaders | undefined
  readonly auth?: ClientAuth | undefined
  /** @defaultValue a keep-alive agent on Node, the global `fetch` elsewhere */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** False: a server that cannot be reached is not waited for. @defaultValue for ever, 0.5–30 s between attempts */
  readonly reconnect?: false | ReconnectOptions | undefined
  readonly limits?: Limits | undefined
  /** The client it belongs to. Without one, no stream for notifications is opened. */
  readonly link?: TransportLink | undefined
  /** Called for errors that belong to no request. */
  readonly onError?: OnError | undefined
  readonly clock?: Clock | undefined
}

/** A session with a server at an address. Nothing is sent before the first message. */
export function createHttpTransport(address: URL, options: HttpTransportOptions = {}): Transport {
  const { clock = systemClock, fetch, reconnect = {} } = options
  const url = withoutCredentials(address)
  const peer = `${url.origin}${url.pathname}`
  const headers = { ...checkHeaders(options.headers ?? {}), ...credentialsOf(address) }
  const requester = fetch ? createFetchRequester(fetch) : createHttpRequester()
  const delivery = createInboundQueue()
  let closing: Promise<void> | undefined

  const parts: ChannelContext = {
    url,
    peer,
    endpoint: createEndpoint({ url, peer, headers, auth: options.auth, requester, clock }),
    delivery,
    clock,
    limits: resolveLimits(options.limits),
    reconnect: reconnect === false ? undefined : reconnect,
    link: options.link,
    onError: options.onError ?? (() => undefined),
  }
  let channel: Channel = openChannel()

  function openChannel(): Channel {
    if (options.type === 'sse') return openSseChannel(parts)
    if (options.type === 'http') return createStreamableChannel(parts)
    return createStreamableChannel(parts, {
      onOldServer(hello, rejection) {
        channel = openSseChannel(parts, { rejection })
        void channel.send(hello)
      },
    })
  }

  async function close(): Promise<void> {
    await channel.close()
    requester.close()
    delivery.end()
  }

  return {
    get kind() {
      return channel.kind
    },
    peer,
    messages: iterateMessages(delivery.receive),
    receive: delivery.receive,
    send(message) {
      if (closing !== undefined || delivery.isEnded)
        return markHandled(Promise.reject(closed(peer)))
      const outgoing = describeOutgoing(message)
      return outgoing && channel.send(outgoing)
    },
    [Symbol.asyncDispose]: () => (closing ??= close()),
  }
}

/** HTTP+SSE, loaded when a server turns out to speak nothing newer. Messages wait until it is there. */
function openSseChannel(parts: ChannelContext, options: SseOptions = {}): Channel {
  const waiting: Outgoing[] = []
  let channel: Channel | undefined
  let isClosed = false
  const loading = load().catch((error: unknown) => parts.delivery.end(error))

  async function load(): Promise<void> {
    const { createSseChannel } = await import('./sse-channel.ts')
    if (isClosed) return
    channel = createSseChannel(parts, options)
    for (const outgoing of waiting) void channel.send(outgoing)
  }

  return {
    kind: 'sse',
    send(outgoing) {
      if (channel) return channel.send(outgoing)
      waiting.push(outgoing)
      return undefined
    },
    async close() {
      isClosed = true
      await loading
      await channel?.close()
    },
  }
}

/** A user and password in a URL are a header, and nothing that is shown. */
function credentialsOf({ username, password }: URL): HttpHeaders {
  return username === '' ? {} : { authorization: basicAuthorization(username, password) }
}

function withoutCredentials(address: URL): URL {
  const url = new URL(address)
  url.username = ''
  url.password = ''
  url.hash = ''
  return url
}

function closed(peer: string): McpError {
  return new McpError('closed', `the transport to ${peer} is closed`, { details: undefined, peer })
}

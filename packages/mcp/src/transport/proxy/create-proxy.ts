import type { TransportLink } from '../../client/connection/transport-link.ts'
import type { ServerEntry } from '../../client/server-entry.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import type { Transport } from '../../rpc/transport.ts'
import { createDefinition } from '../../server/definition.ts'
import { serveDefinition } from '../../server/peer/serve.ts'
import type { Relay, RelayOpening, RelayWelcome } from '../../server/relay.ts'
import type { Server } from '../../server/server.ts'
import { urlEntryOf, urlOpener } from '../connect.ts'
import { createModernCalls } from './modern-calls.ts'
import type { Introduced, OpenTransport } from './open-session.ts'
import { resolveProxyOptions, type ProxyOptions } from './proxy-options.ts'
import { createProxySession, type ProxySession } from './proxy-session.ts'
import { createUpstreams } from './upstreams.ts'

/** What a proxy can stand in front of: what `connect()` takes, or a function that opens a transport each time. */
export type ProxyTarget =
  | string
  | URL
  | ServerEntry
  | Server
  | Transport
  | ((link: TransportLink) => MaybePromise<Transport>)

/** Another server, to be served like one of this process: by `serveStdio`, `serveHttp` or any other transport. */
export interface Proxy extends Server, AsyncDisposable {
  /** Connections to the server now. */
  readonly connections: number
  /** Closes all connections to the server. Disposing is the same. */
  close(): Promise<void>
}

/**
 * Makes of a server that one can connect to one that can be served, in every revision and on every transport. Requests,
 * results and definitions pass unchanged, with fields that we do not know; only ids and tokens are mapped, and what a
 * revision has differently is translated.
 */
export function createProxy(target: ProxyTarget, options: ProxyOptions = {}): Proxy {
  const settings = resolveProxyOptions(openerFor(target, options), options)
  const upstreams = createUpstreams(settings)
  const answerModern = createModernCalls(settings, upstreams)

  async function open({ said, codec, auth }: RelayOpening): Promise<RelayWelcome> {
    const client: Introduced = {
      info: said.clientInfo ?? { name: 'unknown', version: '0' },
      capabilities: said.capabilities,
    }
    const upstream = upstreams.forSession(client, codec, auth)
    const session = createProxySession(settings, upstream, client, () =>
      upstreams.release(upstream),
    )
    try {
      const { server } = await upstream.ready()
      const { info = { name: 'unknown', version: '0' }, capabilities, instructions } = server
      return { info, capabilities, instructions, session }
    } catch (error) {
      session.close()
      throw error
    }
  }

  const relay: Relay = {
    open,
    request(call) {
      const session = call.caller.relay as ProxySession | undefined // made by `open` alone
      return session ? session.request(call) : answerModern(call)
    },
  }
  const definition = createDefinition(
    { name: 'proxy', version: '0' },
    {
      declares: [],
      extensions: [],
      invalidArguments: 'tool_error',
      pageSize: 1_000,
      onError: settings.onError,
      deprecated: () => undefined, // its server knows
    },
    relay,
  )
  return {
    info: definition.info,
    '~definition': definition,
    '~serve': (transport, given) => serveDefinition(definition, transport, given),
    tools: () => [],
    tool: noFeatures,
    resource: noFeatures,
    prompt: noFeatures,
    add: noFeatures,
    mount: noFeatures,
    use: noFeatures,
    notifyChanged: noFeatures,
    get connections() {
      return upstreams.count
    },
    close: () => upstreams.close(),
    [Symbol.asyncDispose]: () => upstreams.close(),
  }
}

/** What it answers with is elsewhere. */
function noFeatures(): never {
  throw new McpError(
    'invalid_definition',
    'a proxy has no features of its own: put them in a server of their own',
    { details: { feature: 'proxy' } },
  )
}

/** How the target is opened, each time. */
function openerFor(target: ProxyTarget, options: ProxyOptions): OpenTransport {
  if (typeof target === 'function') return target
  const entry = urlEntryOf(target)
  if (entry !== undefined) return urlOpener(entry, { ...options, reconnect: true })
  let open: Promise<() => MaybePromise<Transport>> | undefined
  return async () => {
    open ??= import('../connect-local.ts').then(({ openerOf }) => openerOf(target, options))
    return (await open)()
  }
}

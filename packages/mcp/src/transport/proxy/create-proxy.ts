import type { ClientIdentity } from '../../client/connection/identity.ts'
import type { TransportLink } from '../../client/connection/transport-link.ts'
import type { ServerEntry } from '../../client/server-entry.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import type { Transport } from '../../rpc/transport.ts'
import {
  type Backend,
  type BackendOpening,
  type BackendServerInfo,
  createBackendServer,
  noFeatures,
} from '../../server/backend.ts'
import type { Server } from '../../server/server.ts'
import { urlEntryOf, urlOpener } from '../connect.ts'
import { createModernCalls } from './modern-calls.ts'
import type { OpenTransport } from './open-upstream-session.ts'
import { resolveProxyOptions, type ProxyOptions } from './proxy-options.ts'
import { createProxySession, type ProxySession } from './proxy-session.ts'
import { hasOtherTasks } from './tasks/task-kinds.ts'
import { createUpstreamPool } from './upstream-pool.ts'
import { createWatch, type ProxyWatch, type ProxyWatcher } from './watch.ts'

/** The server behind a proxy: a target of `connect()`, or a function that opens a transport each time. */
export type ProxyTarget =
  | string
  | URL
  | ServerEntry
  | Server
  | Transport
  | ((link: TransportLink) => MaybePromise<Transport>)

/** A relay whose sessions take requests by themselves. */
export interface ProxyBackend extends Backend {
  /** Opens a session with the server. Rejects with `RpcError` if it cannot be reached. */
  open(opening: BackendOpening): Promise<BackendServerInfo & { readonly session: ProxySession }>
}

/** Another server, to be served like one of this process: by `serveStdio`, `serveHttp` or any other transport. */
export interface Proxy extends Server, AsyncDisposable {
  /** Answers for the server; for a relay that is made of several. */
  readonly relay: ProxyBackend
  /** Looks at the server with a session of its own, which no client uses. */
  watch(watcher: ProxyWatcher): ProxyWatch
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
  const upstreams = createUpstreamPool(settings)
  const answerModern = createModernCalls(settings, upstreams)

  async function open({
    clientDescription,
    codec,
    auth,
  }: BackendOpening): ReturnType<ProxyBackend['open']> {
    const client: ClientIdentity = {
      info: clientDescription.clientInfo ?? { name: 'unknown', version: '0' },
      capabilities: clientDescription.capabilities,
    }
    const upstream = upstreams.forSession(client, codec, auth)
    const session = createProxySession(settings, upstream, client, () =>
      upstreams.release(upstream),
    )
    try {
      const opened = await upstream.ready()
      const { info = { name: 'unknown', version: '0' }, instructions } = opened.server
      const tasks = hasOtherTasks(opened, { codec }) && settings.tasks.capabilities(auth)
      const capabilities = { ...opened.server.capabilities, ...tasks }
      return { info, capabilities, instructions, session }
    } catch (error) {
      session.close()
      throw error
    }
  }

  const relay: ProxyBackend = {
    open,
    request(call) {
      const session = call.caller.backend as ProxySession | undefined // made by `open` alone
      return session ? session.request(call) : answerModern(call)
    },
  }
  return {
    ...createBackendServer(
      { name: 'proxy', version: '0' },
      relay,
      settings.onError,
      options.observer,
    ),
    use: noFeatures,
    relay,
    watch: (watcher) => createWatch(settings, upstreams, watcher),
    get connections() {
      return upstreams.count
    },
    close: () => upstreams.close(),
    [Symbol.asyncDispose]: () => upstreams.close(),
  }
}

/** How the target is opened, each time. */
function openerFor(target: ProxyTarget, options: ProxyOptions): OpenTransport {
  if (typeof target === 'function') return target
  const entry = urlEntryOf(target)
  if (entry !== undefined)
    return urlOpener(entry, { ...options, reconnect: options.reconnect ?? true })
  let open: Promise<() => MaybePromise<Transport>> | undefined
  return async () => {
    open ??= import('../connect-local.ts').then(({ openerOf }) => openerOf(target, options))
    return (await open)()
  }
}

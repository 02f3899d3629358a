import { serveHttp, type HttpService } from '@parley/mcp/node'
import { createProxy, type Proxy } from '@parley/mcp/proxy'
import { serveStdio } from '@parley/mcp/stdio'

import type { BridgeOptions, BridgeSource } from './bridge-options.ts'
import { createChildren, type Children } from './children.ts'

/** A bridge that runs. Disposing closes it. */
export interface Bridge extends AsyncDisposable {
  /** Where it listens; undefined over stdio. */
  readonly url: URL | undefined
  /** Settles when nothing is served any more. */
  readonly closed: Promise<void>
  /** Children, or sessions with a server elsewhere, now. */
  readonly connections: number
  /** Lets calls finish for up to `deadlineMs`, then ends everything, children included. */
  close(options?: { readonly deadlineMs?: number | undefined }): Promise<void>
}

/** Serves a server on another transport than its own. Resolves when it listens; a server is started when a client comes. */
export async function startBridge(options: BridgeOptions): Promise<Bridge> {
  const { from } = options
  const children = 'command' in from ? createChildren(from, options) : undefined
  const proxy = createProxy(children?.open ?? addressOf(from), {
    mode: options.mode,
    protocolVersion: options.protocolVersion,
    maxConnections: options.maxConnections,
    maxMs: options.maxAgeMs,
    idleMs: options.sessionTimeoutMs,
    timeouts: startTimeouts(options),
    ...('url' in from && { auth: from.auth }),
    ...(options.messageBytes !== undefined && { limits: { messageBytes: options.messageBytes } }),
    observer: options.observer,
    ...(options.onError && { onError: options.onError }),
  })
  try {
    return options.to === 'stdio'
      ? bridgeToStdio(proxy, children, options)
      : await bridgeToNetwork(proxy, children, options)
  } catch (error) {
    await proxy.close()
    children?.[Symbol.dispose]()
    throw error
  }
}

/** Half of the time may go by before a server that does not answer a newer question gets the older one. */
function startTimeouts({ startTimeoutMs = 30_000 }: BridgeOptions) {
  return { connectMs: startTimeoutMs, probeMs: Math.min(5_000, startTimeoutMs / 2) }
}

function addressOf(from: BridgeSource) {
  if (!('url' in from)) throw new TypeError('a command is started, not addressed')
  const { url, type, headers = {} } = from
  return { url, headers, ...(type !== undefined && { type }) }
}

function bridgeToStdio(
  proxy: Proxy,
  children: Children | undefined,
  { stdio, onError }: BridgeOptions,
): Bridge {
  const service = serveStdio(proxy, { ...stdio, ownsProcess: false, onError })
  return running(undefined, service, proxy, children)
}

async function bridgeToNetwork(
  proxy: Proxy,
  children: Children | undefined,
  options: BridgeOptions,
): Promise<Bridge> {
  const { to, port, host, url, origins, onError } = options
  const path = options.path ?? (to === 'sse' ? '/' : '/mcp')
  const service = await serveHttp(proxy, {
    port,
    host,
    path,
    url,
    allowAnonymous: options.allowAnonymous,
    allowedOrigins: origins,
    sessions: options.stateless ? 'off' : 'on',
    sessionIdleMs: options.sessionTimeoutMs,
    detachedMs: abandonedAfter(options),
    legacySse: to === 'sse' || options.alsoSse,
    websocket: to === 'ws',
    ...(options.health !== undefined && { healthRoutes: { live: options.health } }),
    ownsProcess: false,
    onError,
  })
  return running(addressFor(service, options), service, proxy, children)
}

/** A call of a client that vanished must not keep its session, and so its child, for longer than a session is kept. */
function abandonedAfter({ sessionTimeoutMs = Infinity }: BridgeOptions): number {
  return Math.max(1, Math.min(300_000, sessionTimeoutMs))
}

/** Returns the address that clients connect to. */
function addressFor({ url }: HttpService, { to }: BridgeOptions): URL {
  const shown = new URL(url)
  if (to === 'sse') shown.pathname = `${url.pathname.replace(/\/$/, '')}/sse`
  if (to === 'ws') shown.protocol = 'ws:'
  return shown
}

function running(
  url: URL | undefined,
  service: Pick<HttpService, 'drain' | 'closed'>,
  proxy: Proxy,
  children: Children | undefined,
): Bridge {
  const closed = service.closed.then(async () => {
    await proxy.close()
    children?.[Symbol.dispose]()
  })

  async function close({ deadlineMs }: { readonly deadlineMs?: number | undefined } = {}) {
    await service.drain({ deadlineMs })
    await closed
  }

  return {
    url,
    closed,
    get connections() {
      return proxy.connections
    },
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

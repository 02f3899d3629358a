import { isLoopbackAddress } from '../../../rpc/address/ip-address.ts'
import type { DrainReport } from '../../../server/calls/calls-in-flight.ts'
import type { Service } from '../../../server/sessions/serve-connection.ts'
import { invalidOption, publicUrl } from '../admission/public-options.ts'
import type { HttpEndpoint } from '../endpoint.ts'
import type { ServeHttpOptions } from './serve-http.ts'

/** Where to listen, and at which path. Throws `invalid_definition` for what cannot be, before anything listens. */
export function resolveListening(options: ServeHttpOptions): {
  readonly host: string
  readonly port: number
  readonly path: string
} {
  const { host, port } = { ...platformListening(process.env), ...definedOf(options) }
  const path = options.path ?? publicUrl(options)?.pathname ?? '/mcp'
  requireSafety(host, options)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw invalidOption(
      'port',
      `port ${port} is out of range: use 0 to 65535`,
      'Port 0 picks a free one.',
    )
  }
  if (!/^\/[^\s?#]*$/.test(path)) {
    throw invalidOption(
      'path',
      `path ${path} is invalid: it must begin with a slash`,
      'For example /mcp.',
    )
  }
  return { host, port, path }
}

/**
 * Where a platform that sets `PORT` wants us to listen. `HOST` counts only beside it: some shells have it for something
 * else. A `PORT` that is not a number, such as a pipe, is not taken.
 */
function platformListening({ PORT, HOST }: NodeJS.ProcessEnv): { host: string; port: number } {
  const isPresent = PORT !== undefined && /^\d{1,5}$/.test(PORT)
  if (!isPresent) return { host: '127.0.0.1', port: 3000 }
  return { host: HOST === undefined || HOST === '' ? '127.0.0.1' : HOST, port: Number(PORT) }
}

function definedOf({ host, port }: ServeHttpOptions): { host?: string; port?: number } {
  return { ...(host !== undefined && { host }), ...(port !== undefined && { port }) }
}

/** Nothing is public by accident. */
function requireSafety(host: string, { url, auth, allowAnonymous }: ServeHttpOptions): void {
  if (isLoopbackAddress(host)) return
  const missing = [
    ...(url === undefined ? ['url, the public address'] : []),
    ...(auth === undefined && allowAnonymous !== true ? ['auth, or allowAnonymous: true'] : []),
  ]
  if (missing.length === 0) return
  throw invalidOption('serveHttp', `listening on ${host} needs ${missing.join(' and ')}`)
}

/** Draining and the end of an endpoint, with what belongs around it. */
export function createRunningService(
  endpoint: Pick<HttpEndpoint, 'drain'>,
  {
    drainMs = 10_000,
    close = async () => {},
  }: { drainMs?: number; close?: () => Promise<void> } = {},
): Service {
  let draining: Promise<DrainReport> | undefined
  let markClosed: () => void
  const closed = new Promise<void>((resolve) => (markClosed = resolve))

  async function drain(deadlineMs: number): Promise<DrainReport> {
    const report = await endpoint.drain(deadlineMs)
    await close()
    markClosed()
    return report
  }

  const service: Service = {
    drain: ({ deadlineMs = drainMs } = {}) => (draining ??= drain(deadlineMs)),
    closed,
    [Symbol.asyncDispose]: async () => void (await service.drain()),
  }
  return service
}

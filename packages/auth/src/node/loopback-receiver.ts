import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { isLoopbackHost, parseUrl } from '@parley/mcp/address'

import type { Receiver } from '../client/sign-in/interactive.ts'
import { AuthError } from '../shared/auth-error.ts'

/**
 * Listens on this machine for one callback. Given a redirect that is registered it listens there: at its port if that
 * is free, at another if not, which issuers allow on loopback. Without one, port and path are new and not to be guessed.
 */
export async function openLoopbackReceiver(registered: string | undefined): Promise<Receiver> {
  const wanted = new URL(registered ?? `http://127.0.0.1:0/callback/${crypto.randomUUID()}`)
  if (wanted.protocol !== 'http:' || !isLoopbackHost(wanted.hostname)) throw notHere(wanted)
  const hosts = wanted.hostname === 'localhost' ? ['127.0.0.1', '::1'] : [bare(wanted.hostname)]
  const found: { callback?: (url: URL) => void; state?: string } = {}
  const servers = await listen(hosts, Number(wanted.port), (path) => answer(path))
  const redirect = new URL(wanted)
  redirect.port = String(portOf(servers[0]))

  /** Whether a request was the callback that is waited for. */
  function answer(path: string): boolean {
    const base = redirect.origin
    const url = parseUrl(path, base)
    if (found.callback === undefined || url === undefined) return false
    if (url.origin !== base || url.pathname !== redirect.pathname) return false
    if (url.searchParams.get('state') !== found.state) return false
    found.callback(url)
    delete found.callback
    return true
  }

  return {
    redirectUri: redirect.href,
    receive(signal, state) {
      return new Promise<URL>((resolve, reject) => {
        found.state = state
        found.callback = resolve
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        server.close()
        server.closeIdleConnections()
        setTimeout(() => server.closeAllConnections(), 1000).unref() // the page is on its way
        server.unref()
      }
    },
  }
}

async function listen(
  hosts: readonly string[],
  port: number,
  isCallback: (path: string) => boolean,
): Promise<readonly [Server, ...Server[]]> {
  const [first = '127.0.0.1', ...others] = hosts
  const listening = await listenAt(first, port, isCallback).catch((error: unknown) => {
    if (port === 0) throw error
    return listenAt(first, 0, isCallback)
  })
  const same = others.map((host) =>
    listenAt(host, portOf(listening), isCallback).catch(() => undefined),
  ) // no IPv6 here
  return [listening, ...(await Promise.all(same)).filter((server) => server !== undefined)]
}

async function listenAt(
  host: string,
  port: number,
  isCallback: (path: string) => boolean,
): Promise<Server> {
  const server = createServer({ requestTimeout: 5000 }, (request, response) => {
    const isOurs = isLocalHost(request.headers.host) && request.method === 'GET'
    const isFound = isOurs && isCallback(request.url ?? '')
    response.writeHead(isFound ? 200 : 404, pageHeaders)
    response.end(isFound ? waitingPage : wrongPage)
  })
  server.listen(port, host)
  await once(server, 'listening')
  return server
}

/** A page of another site could have its name lead here. */
function isLocalHost(host: string | undefined): boolean {
  const url = host === undefined ? undefined : parseUrl(`http://${host}`)
  return url !== undefined && isLoopbackHost(url.hostname)
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port // it listens on a port, not on a pipe
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

function notHere(url: URL): AuthError {
  return new AuthError(
    'sign_in_cancelled',
    `cannot wait for the callback at ${url.origin}: it is not on this machine`,
    {
      step: 'callback',
      hint: 'Pass receive, or a redirectUri on http://127.0.0.1 or http://localhost.',
    },
  )
}

/** Nothing on these pages loads, runs or tells anybody where they were. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
} as const

/** The page for a person who came back from the issuer. */
const waitingPage = page('Thank you', 'You can close this page and go back to the program.')

/** The page for any other request. */
const wrongPage = page('Not found', 'No sign-in is in progress at this address.')

function page(title: string, text: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><style>
body{font:1.1rem/1.5 system-ui,sans-serif;max-width:30rem;margin:20vh auto;padding:0 1rem;color:#222;background:#fff}
@media (prefers-color-scheme:dark){body{color:#eee;background:#222}}
</style><main><h1>${title}</h1><p>${text}</p></main></html>
`
}

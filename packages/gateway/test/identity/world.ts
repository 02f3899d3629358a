import { createServer as createHttp } from 'node:http'
import { connect as connectSocket, createServer as createRelay, type AddressInfo } from 'node:net'

import { oauthGuard, type TokenIssuer } from '@parley/auth/resource'
import {
  createAuthServer,
  createMemoryAuthServerStore,
  type AuthServer,
  type AuthServerOptions,
} from '@parley/auth/server'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'

export const secret = 'a secret that is long enough for anybody'
export const scopes = { 'notes:read': 'read your notes', 'notes:write': 'change your notes' }

/** A real authorization server on a port of loopback. */
export interface TestIssuer extends AsyncDisposable {
  readonly issuer: string
  readonly server: AuthServer
  /** `METHOD /path` of all requests. */
  readonly asked: string[]
}

/** People sign in with any name and the password `correct horse`; the name is who they are. */
export async function openIssuer(
  resources: readonly string[],
  options: Partial<AuthServerOptions> = {},
  host = '127.0.0.1',
): Promise<TestIssuer> {
  let server: AuthServer | undefined
  const asked: string[] = []
  const http = createHttp((request, response) => {
    asked.push(`${request.method} ${request.url?.split('?', 1)[0]}`)
    server?.handler(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo // listening on an address, not a pipe
  const issuer = `http://${host}:${port}`
  server = await createAuthServer({
    issuer,
    resources,
    store: createMemoryAuthServerStore(),
    scopes,
    registration: 'on',
    users: {
      verify: async (name, password) =>
        password === 'correct horse' ? { subject: name, claims: {} } : undefined,
    },
    ...options,
  })
  return {
    issuer,
    server,
    asked,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

/** Everything that went to a server, byte by byte. */
export interface Tap extends AsyncDisposable {
  readonly url: string
  /** Of all connections, in order. */
  sent(): string
  /** Where to send what comes. */
  to(port: number): void
}

/** An address that passes on bytes, and keeps a copy. */
export async function openTap(path = '/mcp'): Promise<Tap> {
  const chunks: Buffer[] = []
  const open = new Set<{ destroy(): void }>()
  let target = 0
  const relay = createRelay((client) => {
    const server = connectSocket(target, '127.0.0.1')
    open.add(client).add(server)
    client.on('data', (chunk) => {
      chunks.push(chunk)
      server.write(chunk)
    })
    server.pipe(client)
    client.on('close', () => server.destroy()).on('error', () => server.destroy())
    server.on('close', () => client.destroy()).on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const { port } = relay.address() as AddressInfo // listening on an address, not a pipe
  return {
    url: `http://127.0.0.1:${port}${path}`,
    sent: () => Buffer.concat(chunks).toString('latin1'),
    to: (given) => (target = given),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => relay.close(resolve))
    },
  }
}

/** A server that tells callers who they are, behind a tap. */
export interface Notes extends AsyncDisposable {
  readonly tap: Tap
  readonly url: string
  /** Who called, and in which session. */
  readonly calls: { readonly subject: string; readonly sessionId: string | undefined }[]
}

export async function openNotes(tap: Tap, issuer: TokenIssuer): Promise<Notes> {
  const calls: { readonly subject: string; readonly sessionId: string | undefined }[] = []
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('who', {}, (_, { auth, sessionId }) => {
    calls.push({ subject: auth?.subject ?? '', sessionId })
    return `${auth?.subject} of ${auth?.issuer}`
  })
  server.tool('write', { scopes: ['notes:write'] }, () => 'written')
  const service = await serveHttp(server, {
    port: 0,
    url: tap.url,
    ownsProcess: false,
    onError: () => undefined,
    auth: oauthGuard({ issuer, scopes: ['notes:read'] }),
  })
  tap.to(Number(service.url.port))
  return {
    tap,
    url: tap.url,
    calls,
    [Symbol.asyncDispose]: async () => void (await service.drain({ deadlineMs: 0 })),
  }
}

/** A browser that runs no scripts, of somebody who allows everything. Cookies belong to hosts, as in all of them. */
export function createBrowser(user: string, key?: string) {
  const jars = new Map<string, Map<string, string>>()

  async function request(url: URL, form?: Record<string, string>): Promise<Response> {
    const jar = jars.get(url.host) ?? new Map<string, string>()
    jars.set(url.host, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const post = form && { method: 'POST', body: new URLSearchParams(form) }
    const headers = { cookie, ...(form && { origin: url.origin }) }
    const response = await fetch(url, { ...post, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    return response
  }

  return {
    jars,
    request,
    /** Goes where it is led, until a page asks nothing; `until` stops before such an address is asked. */
    async visit(
      start: string,
      until: (url: URL) => boolean = () => false,
    ): Promise<{ readonly url: URL; readonly status: number; readonly text: string }> {
      let url = new URL(start)
      let response = await request(url)
      for (let steps = 0; steps < 25; steps += 1) {
        const location = response.headers.get('location')
        if (location !== null) {
          url = new URL(location, url)
          if (until(url)) return { url, status: 0, text: '' }
          response = await request(url)
          continue
        }
        const text = await response.text()
        const [, token] = /name="token" value="([\w-]+)"/.exec(text) ?? []
        if (token !== undefined) {
          const isSignIn = text.includes('name="password"')
          const answer = isSignIn
            ? { name: user, password: 'correct horse', answer: 'sign-in' }
            : { answer: 'allow' }
          response = await request(url, { token, ...answer })
        } else if (key !== undefined && text.includes('name="key"') && response.status === 200) {
          response = await request(url, { key })
        } else return { url, status: response.status, text }
      }
      throw new Error(`led in circles, now at ${url.href}`)
    },
  }
}

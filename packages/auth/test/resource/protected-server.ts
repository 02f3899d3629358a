import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { oauthGuard, type OAuthGuardOptions } from '@parley/auth/resource'
import { createMcpHandler, type HttpOptions } from '@parley/mcp/http'
import { createNodeHandler } from '@parley/mcp/node'
import { createServer, type Server, type ServerOptions } from '@parley/mcp/server'

import { openSigningIssuer, resource, type SigningIssuer } from './signing-issuer.ts'

export interface Ask {
  readonly method?: string
  readonly path?: string
  readonly token?: string | undefined
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** A server of ours behind `oauthGuard`, asked by hand. */
export interface ProtectedServer extends AsyncDisposable {
  readonly issuer: SigningIssuer
  /** Handlers that ran. */
  readonly ran: string[]
  readonly reported: unknown[]
  ask(ask: Ask): Promise<Response>
  /** One request; sessions are off unless a test says otherwise. */
  request(method: string, params?: object, ask?: Ask): Promise<Response>
  call(name: string, ask?: Ask & { readonly args?: object }): Promise<Response>
}

export interface ProtectedScript {
  readonly entry?: 'node' | 'fetch'
  readonly issuer?: SigningIssuer
  readonly protect?: Partial<OAuthGuardOptions>
  readonly http?: HttpOptions
  readonly extensions?: ServerOptions['extensions']
  readonly define?: (server: Server, ran: string[]) => void
}

export async function openProtected(script: ProtectedScript = {}): Promise<ProtectedServer> {
  const { entry = 'fetch', define = defineNotes } = script
  const issuer = script.issuer ?? (await openSigningIssuer())
  const ran: string[] = []
  const reported: unknown[] = []
  const server = createServer({
    name: 'notes',
    version: '1.0.0',
    extensions: script.extensions,
  })
  define(server, ran)
  const options: HttpOptions = {
    url: resource,
    sessions: 'off',
    auth: oauthGuard({ issuer: issuer.issuer, ...script.protect }),
    onError: (error) => reported.push(error),
    ...script.http,
  }
  const { send, close } =
    entry === 'node' ? await serveNode(server, options) : serveFetch(server, options)

  function ask({ method = 'GET', path = '/mcp', token, headers, body }: Ask): Promise<Response> {
    return send(path, {
      method,
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  function request(method: string, params: object = {}, { headers, ...rest }: Ask = {}) {
    return ask({
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
        ...headers,
      },
      body: { jsonrpc: '2.0', id: 1, method, params },
      ...rest,
    })
  }

  return {
    issuer,
    ran,
    reported,
    ask,
    request,
    call: (name, { args = {}, ...rest } = {}) =>
      request('tools/call', { name, arguments: args }, rest),
    async [Symbol.asyncDispose]() {
      await close()
      if (script.issuer === undefined) await issuer[Symbol.asyncDispose]()
    },
  }
}

function defineNotes(server: Server, ran: string[]): void {
  server.tool('who', {}, (_, { auth }) => {
    ran.push('who')
    return JSON.stringify({ ...auth, scopes: [...(auth?.scopes ?? [])] })
  })
  server.tool('read', { scopes: ['notes:read'] }, () => void ran.push('read'))
  server.tool('write', { scopes: ['notes:read', 'notes:write'] }, () => void ran.push('write'))
}

/** What the tool `who` says of its caller. */
export async function whoOf(response: Response): Promise<Record<string, unknown>> {
  const { result } = (await response.json()) as { result: { content: [{ text: string }] } } // of the tool above
  return JSON.parse(result.content[0].text) as Record<string, unknown>
}

/** The header of a challenge. */
export function challengeOf(response: Response): string | null {
  return response.headers.get('www-authenticate')
}

interface Served {
  send(path: string, init: RequestInit): Promise<Response>
  close(): Promise<unknown>
}

function serveFetch(server: Server, options: HttpOptions): Served {
  const handler = createMcpHandler(server, options)
  return {
    send: (path, init) => handler.fetch(new Request(`http://localhost${path}`, init)),
    close: () => handler.drain({ deadlineMs: 0 }),
  }
}

async function serveNode(server: Server, options: HttpOptions): Promise<Served> {
  const handler = createNodeHandler(server, options)
  const http = createHttpServer(handler)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo // listening on an address
  return {
    send: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
    async close() {
      await handler.drain({ deadlineMs: 0 })
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

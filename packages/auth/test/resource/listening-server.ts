import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { introspection, oauthGuard, type OAuthGuardOptions } from '@parley/auth/resource'
import type { HttpOptions } from '@parley/mcp/http'
import { createNodeHandler } from '@parley/mcp/node'
import { createServer, type Server } from '@parley/mcp/server'
import { acceptWebSockets } from '@parley/mcp/websocket'

import {
  openScriptedIssuer,
  type IssuerScript,
  type ScriptedIssuer,
} from '../support/scripted-issuer.ts'

/** A protected server that listens where its public URL says, on all transports. */
export interface ListeningServer extends AsyncDisposable {
  readonly url: URL
  readonly server: Server
}

export async function listenProtected(
  options: OAuthGuardOptions,
  http: HttpOptions = {},
): Promise<ListeningServer> {
  const listener = createHttpServer()
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo // listening on an address
  const url = new URL(`http://127.0.0.1:${port}/mcp`)
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('who', {}, (_, { auth }) => `${auth?.subject ?? 'nobody'} by ${auth?.clientId}`)
  server.tool('read', { scopes: ['notes:read'] }, () => 'read')
  server.tool('write', { scopes: ['notes:write'] }, () => 'written')
  const all = { onError: () => undefined, ...http, url, auth: oauthGuard(options) }
  const handler = createNodeHandler(server, all)
  listener.on('request', handler)
  const sockets = acceptWebSockets(listener, server, all)
  await sockets.ready
  return {
    url,
    server,
    async [Symbol.asyncDispose]() {
      await Promise.all([handler.drain({ deadlineMs: 0 }), sockets.drain({ deadlineMs: 0 })])
      listener.closeAllConnections()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

/** An issuer whose opaque tokens can be asked about, and how to ask. */
export async function openTellingIssuer(
  script: IssuerScript = {},
): Promise<{ readonly issuer: ScriptedIssuer; readonly protect: OAuthGuardOptions }> {
  const issuer = await openScriptedIssuer({
    ...script,
    answer({ path, form }, { tokens }) {
      if (path !== '/introspect') return undefined
      const token = tokens.get(form.get('token') ?? '')
      if (token === undefined || token.isRevoked) return { body: { active: false } }
      const { clientId, scopes, resource, expiresAt } = token
      return {
        body: {
          active: true,
          sub: 'ada',
          client_id: clientId,
          scope: scopes.join(' '),
          aud: resource,
          exp: Math.floor(expiresAt / 1000),
        },
      }
    },
  })
  const endpoint = `${issuer.origin}/introspect`
  const verify = introspection({ endpoint, clientId: 'server', clientSecret: 'secret' })
  return { issuer, protect: { issuer: issuer.issuer, verify } }
}

import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createMemoryTokenStore, type TokenStore } from '@parley/auth/client'
import { introspection, oauthGuard } from '@parley/auth/resource'
import {
  type AuthAuditEvent,
  type AuthServerOptions,
  createAuthServer,
  createMemoryAuthServerStore,
} from '@parley/auth/server'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { onTestFinished } from 'vitest'

import { password } from './person-in-chromium.ts'

/** A protected server with its authorization server, on a port of this machine. */
export interface ProtectedNotes {
  readonly url: URL
  readonly events: readonly AuthAuditEvent[]
  /** How often tokens were given, by grant. */
  tokensBy(grant: string): number
}

/** Anybody can sign in, under their own name. */
export const users: AuthServerOptions['users'] = {
  verify: async (name, given) =>
    given === password ? { subject: name, claims: { name } } : undefined,
}

export const scopes = { 'notes:read': 'read your notes', 'notes:write': 'change your notes' }

const secret = 'the server itself, which asks about tokens'

export interface NotesOptions {
  readonly accessTokenSeconds?: number | undefined
  /** Ask the issuer about each token, each time. @defaultValue false */
  readonly asks?: boolean | undefined
}

/** Stops when the test is over. */
export async function serveNotes(options: NotesOptions = {}): Promise<ProtectedNotes> {
  const url = new URL(`http://127.0.0.1:${await freePort()}/mcp`)
  const events: AuthAuditEvent[] = []
  const authServer = await createAuthServer({
    issuer: url.origin,
    resources: [url.href],
    users,
    scopes,
    store: createMemoryAuthServerStore(),
    clients: [{ clientId: 'notes', clientSecret: secret }],
    accessTokenSeconds: options.accessTokenSeconds,
    audit: (event) => events.push(event),
  })

  const notes = new Map<string, string>()
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('read', {}, (_, { auth }) => notes.get(auth?.subject ?? '') ?? 'nothing')
  server.tool('write', { scopes: ['notes:write'] }, (_, { auth }) => {
    notes.set(auth?.subject ?? '', `a note of ${auth?.subject}`)
    return 'written'
  })
  const verify = introspection({ clientId: 'notes', clientSecret: secret })
  const service = await serveHttp(server, {
    port: Number(url.port),
    url,
    ownsProcess: false,
    auth: oauthGuard({
      issuer: authServer,
      scopes: ['notes:read'],
      ...(options.asks && { verify, cache: false }),
    }),
  })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))

  return {
    url,
    events,
    tokensBy: (grant) =>
      events.filter((event) => event.type === 'token_issued' && event.grant === grant).length,
  }
}

export async function freePort(): Promise<number> {
  const http = createHttpServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo // listening on an address, not a pipe
  await new Promise((resolve) => http.close(resolve))
  return port
}

/** A store, and a way to take back at the issuer what is in it. */
export function createRevocableStore(url: URL): { store: TokenStore; revoke(): Promise<Response> } {
  const store = createMemoryTokenStore()
  return {
    store,
    async revoke() {
      const kept = await store.get({ kind: 'grant', issuer: url.origin, resource: url.href })
      const grant = JSON.parse(kept?.value ?? '{}') as Record<string, string> // written by our client
      return fetch(`${url.origin}/revoke`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id: grant['clientId'] ?? '',
          token: grant['refreshToken'] ?? '',
        }),
      })
    },
  }
}

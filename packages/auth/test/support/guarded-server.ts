import { createNodeHandler } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'

import { openLoggedServer, type Answer, type LoggedServer, type Seen } from './http-log.ts'
import type { ScriptedIssuer } from './scripted-issuer.ts'

export interface GuardedServer extends LoggedServer {
  readonly url: string
  /** Requests to the endpoint. */
  calls(): readonly Seen[]
}

export interface ServerScript {
  /** @defaultValue '/mcp' */
  readonly path?: string | undefined
  /** Who may give tokens; the first one is asked whether a token is good. */
  readonly issuers: readonly ScriptedIssuer[]
  /** Where the metadata is. @defaultValue below the path */
  readonly metadataAt?: readonly string[] | undefined
  readonly metadata?: ((metadata: Record<string, unknown>) => Record<string, unknown>) | undefined
  /** The header with a 401. @defaultValue the place of the metadata */
  readonly challenge?: ((origin: string) => string | undefined) | undefined
  /** Scopes of one request, by its JSON-RPC method. */
  readonly scopes?: ((method: string) => readonly string[]) | undefined
  readonly answer?: ((seen: Seen) => Answer | undefined) | undefined
}

/** A real MCP server behind a guard that knows the tokens of scripted issuers. */
export async function openGuardedServer(script: ServerScript): Promise<GuardedServer> {
  const { path = '/mcp', issuers } = script
  const places = script.metadataAt ?? [`/.well-known/oauth-protected-resource${path}`]
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('note', {}, () => 'noted')
  const handler = createNodeHandler(server)

  const logged = await openLoggedServer(async (seen, { request, response, body }) => {
    const own = script.answer?.(seen)
    if (own !== undefined) return own
    if (places.includes(seen.path)) return { body: metadata() }
    if (seen.path !== path) return { status: 404, body: 'nothing here' }
    const rejection = check(seen)
    if (rejection !== undefined) return rejection
    handler(Object.assign(request, { body: body === '' ? undefined : JSON.parse(body) }), response)
    return undefined
  })
  const url = `${logged.origin}${path}`

  function metadata(): Record<string, unknown> {
    const plain = {
      resource: url,
      authorization_servers: issuers.map(({ issuer }) => issuer),
      bearer_methods_supported: ['header'],
    }
    return script.metadata?.(plain) ?? plain
  }

  function check({ headers, body }: Seen): Answer | undefined {
    const [, text = ''] = /^Bearer (.*)$/.exec(headers.authorization ?? '') ?? []
    const token = issuers[0]?.tokens.get(text)
    const isGood = token && !token.isRevoked && token.expiresAt > Date.now()
    if (!isGood || token.resource !== metadata()['resource']) {
      const header = script.challenge ? script.challenge(logged.origin) : standardChallenge()
      return {
        status: 401,
        body: 'who are you?',
        headers: header ? { 'www-authenticate': header } : {},
      }
    }
    const needed = script.scopes?.(methodOf(body)) ?? []
    if (needed.every((scope) => token.scopes.includes(scope))) return undefined
    const header = `Bearer error="insufficient_scope", scope="${needed.join(' ')}"`
    return { status: 403, body: 'no', headers: { 'www-authenticate': header } }
  }

  function standardChallenge(): string {
    return `Bearer resource_metadata="${logged.origin}${places[0] ?? ''}"`
  }

  return {
    ...logged,
    url,
    calls: () => logged.at(path),
    async [Symbol.asyncDispose]() {
      await handler.drain()
      await logged[Symbol.asyncDispose]()
    },
  }
}

function methodOf(body: string): string {
  return body === '' ? '' : (JSON.parse(body) as { method: string }).method // requests of our own client
}

import { upstream, type UpstreamOptions } from '@parley/auth/resource'
import type { Server } from '@parley/mcp/server'

import { openLoggedServer, type Answer, type LoggedServer, type Seen } from '../support/http-log.ts'
import { openProtected, type ProtectedServer } from './protected-server.ts'
import { openSigningIssuer, type SigningIssuer } from './signing-issuer.ts'

/** A server whose tool calls another service, and the issuer both trust. */
export interface UpstreamWorld extends AsyncDisposable {
  readonly issuer: SigningIssuer
  readonly service: LoggedServer
  readonly server: ProtectedServer
}

export interface UpstreamScript {
  readonly token?: (seen: Seen) => Answer
  /** What the other service answers. */
  readonly service?: () => Answer
  readonly options?: Partial<UpstreamOptions>
  /** What the tool does with the fetch it has. */
  readonly use?: (call: typeof fetch, url: string) => Promise<Response>
}

export async function openUpstream(script: UpstreamScript = {}): Promise<UpstreamWorld> {
  const { use = (call, url) => call(url) } = script
  let count = 0
  const issuer = await openSigningIssuer({
    answer: (seen) => {
      if (seen.path !== '/token') return undefined
      count += 1
      return (
        script.token?.(seen) ?? {
          body: { access_token: `upstream-${count}`, token_type: 'Bearer', expires_in: 300 },
        }
      )
    },
  })
  const service = await openLoggedServer(() => script.service?.() ?? { body: 'files' })
  const server = await openProtected({
    issuer,
    define(notes: Server) {
      notes.tool('files', {}, async (_, { auth }) => {
        if (auth === undefined) throw new Error('nobody')
        const call = upstream(auth, {
          resource: `${service.origin}/api`,
          issuer: issuer.issuer,
          clientId: 'notes-server',
          clientSecret: 'secret',
          scopes: ['files:read'],
          ...script.options,
        })
        return (await use(call, `${service.origin}/api/files`)).text()
      })
    },
  })
  return {
    issuer,
    service,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
      await issuer[Symbol.asyncDispose]()
    },
  }
}

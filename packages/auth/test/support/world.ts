import {
  browserAuth,
  type BrowserAuthOptions,
  createMemoryTokenStore,
  type TokenStore,
} from '@parley/auth/client'
import { connect, type Client, type ConnectOptions } from '@parley/mcp/client'

import { openGuardedServer, type GuardedServer, type ServerScript } from './guarded-server.ts'
import { createPerson, type Person } from './person.ts'
import { openScriptedIssuer, type IssuerScript, type ScriptedIssuer } from './scripted-issuer.ts'

export interface World extends AsyncDisposable {
  readonly issuer: ScriptedIssuer
  readonly server: GuardedServer
  readonly person: Person
  readonly store: TokenStore
  /** A new client of the server, for the person and the store unless told otherwise. */
  connect(options?: BrowserAuthOptions, more?: ConnectOptions): Promise<Client>
}

export interface WorldScript {
  readonly issuer?: IssuerScript | undefined
  readonly server?: Partial<ServerScript> | undefined
  /** Changes the callback on its way. */
  readonly callback?: ((url: URL) => URL) | undefined
}

/** One issuer, one server that trusts it, and a person. */
export async function openWorld(script: WorldScript = {}): Promise<World> {
  const issuer = await openScriptedIssuer(script.issuer)
  const server = await openGuardedServer({ issuers: [issuer], ...script.server })
  const person = createPerson(undefined, script.callback)
  const store = createMemoryTokenStore()
  return {
    issuer,
    server,
    person,
    store,
    connect(options, more) {
      const { open, receive, redirectUri } = person
      const auth = browserAuth({ open, receive, redirectUri, store, ...options })
      return connect(server.url, { auth, protocolVersion: 'legacy', reconnect: false, ...more })
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await issuer[Symbol.asyncDispose]()
    },
  }
}

import { browserAuth, type BrowserAuthOptions } from '@parley/auth/client'
import { parleyCommandLine } from '@parley/foundation/command-line'
import type { OauthSettings } from '@parley/foundation/config'
import type { ClientAuth } from '@parley/mcp/client'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'
import { createServerList } from './known-servers.ts'
import { noticingGrants, openTokenStore } from './token-store.ts'

/** Credentials of somebody who signed in before; `undefined` for a server nobody signed in to. */
export async function knownSignIn(
  url: string,
  oauth: OauthSettings | undefined,
  io: Io,
): Promise<ClientAuth | undefined> {
  if ((await createServerList(io).get(url)) === undefined) return undefined
  return createSignIn(url, io, {
    ...fromSettings(oauth),
    open: () => {
      throw new CliError('auth_required', `the sign-in to ${url} has expired`, {
        hint: `Sign in again: ${parleyCommandLine({ command: 'auth login', words: [url] })}`,
      })
    },
  })
}

/** Signs in where the server asks for it, and keeps what was given. */
export async function createSignIn(
  url: string,
  io: Io,
  options: BrowserAuthOptions,
): Promise<ClientAuth> {
  const servers = createServerList(io)
  const store = noticingGrants(await openTokenStore(io), (key) => servers.add(url, key))
  return browserAuth({ clientName: 'parley', store, ...options })
}

/** What a configuration file says about signing in. */
export function fromSettings(oauth: OauthSettings | undefined): BrowserAuthOptions {
  const { clientId, clientSecret, scopes } = oauth ?? {}
  return {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scopes !== undefined && { scopes }),
  }
}

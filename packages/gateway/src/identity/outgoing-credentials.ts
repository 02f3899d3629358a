import {
  clientCredentialsAuth,
  enterpriseAuth,
  authFromStore,
  type TokenStore,
} from '@parley/auth/client'
import type { callerToken } from '@parley/auth/resource'
import type { AuthInfo } from '@parley/mcp'
import { isLoopbackHost } from '@parley/mcp/address'
import type { ClientAuth } from '@parley/mcp/client'

import type { CallerAuth, OutgoingAuth } from './outgoing-auth.ts'

/** The caller of now: the newest token that one user brought through one client. */
export interface CallerSlot {
  readonly auth: AuthInfo
}

/** Returns the owner that a grant is stored for. */
export function accountOf({ issuer, subject }: AuthInfo): string {
  return JSON.stringify([issuer, subject])
}

/** The gateway itself: tokens are kept in memory, got once for all who wait, and again before they expire. */
export function ownCredentials(
  auth: Extract<OutgoingAuth, { type: 'client-credentials' }>,
  url: string,
): ClientAuth {
  const { clientId, clientSecret = '', key, issuer, scopes } = auth
  const options = { clientId, issuer, scopes, network: networkFor(url) }
  return key === undefined
    ? clientCredentialsAuth({ ...options, clientSecret })
    : clientCredentialsAuth({ ...options, key })
}

/** One caller at one server. */
export function callerCredentials(
  auth: CallerAuth,
  url: string,
  slot: CallerSlot,
  store: TokenStore,
): ClientAuth {
  const network = networkFor(url)
  switch (auth.type) {
    case 'user': {
      const { type: _, ...options } = auth
      return authFromStore({ ...options, store, network, account: accountOf(slot.auth) })
    }
    case 'id-jag': {
      const { type: _, ...options } = auth
      const { issuer } = auth.idp
      return enterpriseAuth({
        ...options,
        network,
        subjectTokenType: 'access_token',
        idToken: () => tokenOf(slot, { issuer }),
      })
    }
    case 'token-exchange':
      return exchanged(auth, url, slot)
    case 'pass-through': {
      const { resource = url } = auth
      return once(() => tokenOf(slot, { resource }))
    }
  }
}

/** An exchange for each token of the caller; another one when the server does not take it. */
function exchanged(
  auth: Extract<CallerAuth, { type: 'token-exchange' }>,
  url: string,
  slot: CallerSlot,
): ClientAuth {
  const { type: _, resource = url, audience = resource, ...rest } = auth
  const options = { ...rest, resource, audience }
  return {
    ...once(async () => (await loadResource()).exchangeToken(slot.auth, options)),
    async challenged({ status, given, attempt }) {
      if (status !== 401 || attempt > 1) return false
      const rejected = given['authorization']?.replace(/^Bearer /, '')
      const { exchangeToken } = await loadResource()
      await exchangeToken(slot.auth, options, { rejected })
      return true
    },
  }
}

async function tokenOf(
  { auth }: CallerSlot,
  options: Parameters<typeof callerToken>[1],
): Promise<string> {
  return (await loadResource()).callerToken(auth, options)
}

/** Loaded when it is used: a gateway that calls as nobody starts without it. */
function loadResource() {
  return import('@parley/auth/resource')
}

/** A token that is had beforehand; there is no other. */
function once(token: () => Promise<string>): ClientAuth {
  return {
    partition: crypto.randomUUID(),
    authorize: async () => ({ authorization: `Bearer ${await token()}` }),
    challenged: async () => false,
  }
}

/** A server on the network must not lead the gateway into its own. */
export function networkFor(url: string): 'public' | 'any' {
  const { hostname } = new URL(url)
  return isLoopbackHost(hostname) || isPrivate(hostname) ? 'any' : 'public'
}

/** Names without a dot, and addresses that no public server has, are the operator's own. */
function isPrivate(hostname: string): boolean {
  return (
    !hostname.includes('.') ||
    /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(hostname) ||
    /\.(?:internal|local|lan|home\.arpa|svc|cluster)$/.test(hostname)
  )
}

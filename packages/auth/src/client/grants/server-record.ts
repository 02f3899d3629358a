import { parseJsonObject } from '@parley/mcp/json'

import type { Target } from '../issuer/target.ts'
import { grantKey } from '../strategy.ts'
import type { StoreKey, TokenStore } from './token-store.ts'

// Which issuer's tokens a server takes, as it last said: signing out must not depend on a server that may be gone.

/** Noted with every sign-in. */
export async function noteServer(store: TokenStore, server: URL, target: Target): Promise<void> {
  const value = JSON.stringify(grantKey(target, undefined))
  await store.set(keyOf(server), { version: crypto.randomUUID(), value })
}

/** The key of what somebody signed in to there. */
export async function recallServer(
  store: TokenStore,
  server: URL,
  account: string | undefined,
): Promise<StoreKey | undefined> {
  const kept = await store.get(keyOf(server))
  const { issuer, resource, server: part } = parseJsonObject(kept?.value ?? '') ?? {}
  if (typeof issuer !== 'string' || typeof resource !== 'string') return undefined
  return {
    kind: 'grant',
    issuer,
    resource,
    ...(account !== undefined && { account }),
    ...(typeof part === 'string' && { server: part }),
  }
}

function keyOf({ href }: URL): StoreKey {
  return { kind: 'server', issuer: '', resource: href }
}

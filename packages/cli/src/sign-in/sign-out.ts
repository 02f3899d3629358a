import {
  signOut,
  type BrowserAuthOptions,
  type SignOutResult,
  type StoreKey,
} from '@parley/auth/client'
import { anySignal } from '@parley/mcp/signals'

import { describeFailure } from '../exit.ts'
import type { Io } from '../io.ts'
import { flat } from '../output/printer.ts'
import { createServerList } from './known-servers.ts'
import { openTokenStore, viewGrant, type GrantView } from './token-store.ts'

/** How somebody signs out. */
export interface SignOutOptions {
  /** Who signed in: the client that revokes. */
  readonly client?: BrowserAuthOptions | undefined
  /** Whether issuers are told. @defaultValue true */
  readonly isRevoked?: boolean | undefined
  /** How long issuers may take. @defaultValue 15_000 */
  readonly timeoutMs?: number | undefined
  readonly signal: AbortSignal
}

/** An issuer that does not answer must not keep anybody signed in. */
const usualMs = 15_000

/** Forgets tokens, and has the issuers take them back where they can. Undefined if nobody was signed in. */
export async function signOutOfServers(
  url: string,
  io: Io,
  options: SignOutOptions,
): Promise<readonly SignOutResult[] | undefined> {
  const { client, isRevoked = true, timeoutMs = usualMs } = options
  const servers = createServerList(io)
  const server = await servers.get(url)
  const store = await openTokenStore(io)
  const signal = anySignal(options.signal, AbortSignal.timeout(timeoutMs))

  async function end(key: StoreKey): Promise<SignOutResult> {
    if (key.kind !== 'grant' || !isRevoked) {
      await store.delete(key)
      return { kind: 'absent' }
    }
    try {
      return await signOut(key, { ...client, store, signal })
    } catch (error) {
      options.signal.throwIfAborted()
      await store.delete(key)
      return { kind: 'failed', issuer: key.issuer, why: describeFailure(error).message }
    }
  }

  const revocations: SignOutResult[] = []
  for (const key of server?.keys ?? []) revocations.push(await end(key))
  await servers.remove(url)
  return server === undefined ? undefined : revocations
}

/** What is granted for a server; never a token. */
export async function grantsOf(url: string, io: Io): Promise<readonly GrantView[]> {
  const server = await createServerList(io).get(url)
  if (server === undefined) return []
  const store = await openTokenStore(io)
  const grants = await Promise.all(server.keys.map((key) => viewGrant(store, key)))
  return grants.filter((grant) => grant !== undefined)
}

/** What an issuer did, in words; undefined where there was nothing to do. */
export function describeRevocation(revocation: SignOutResult): string | undefined {
  switch (revocation.kind) {
    case 'absent':
      return undefined
    case 'revoked':
      return `${flat(revocation.issuer)} revoked the tokens.`
    case 'unsupported':
      return `${flat(revocation.issuer)} does not support revoking tokens: a copy stays valid until it expires.`
    case 'failed':
      return `${flat(revocation.issuer)} did not revoke the tokens (${flat(revocation.why)}): a copy stays valid until it expires.`
  }
}

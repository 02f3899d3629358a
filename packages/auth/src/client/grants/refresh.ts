import { AuthError } from '../../shared/auth-error.ts'
import type { ClientIdentity } from '../identity/client-identity.ts'
import type { Target } from '../issuer/target.ts'
import type { AuthHttp } from '../options.ts'
import { restoreDpopKey } from '../tokens/dpop.ts'
import { tokenOf, requestToken } from '../tokens/token-request.ts'
import { decodeGrant, encodeGrant, grantFrom, isExpired, isExpiring, type Grant } from './grant.ts'
import type { StoreKey, StoredGrant, TokenStore } from './token-store.ts'

/** A grant with the version it has in the store. */
export interface VersionedGrant {
  readonly grant: Grant
  readonly version: string
}

/** The grant to refresh, and the client that refreshes it. */
export interface RefreshRequest {
  readonly store: TokenStore
  readonly key: StoreKey
  readonly target: Target
  readonly activeGrant: VersionedGrant
  /** The server refused the access token, so it is of no use although it has not expired. */
  readonly isRejected: boolean
  /** Returns the client that the grant was issued to; `undefined` if we are no longer that client. */
  readonly identify: () => Promise<ClientIdentity | undefined>
  readonly http: AuthHttp
}

const lockMs = 30_000

/**
 * Refreshes a grant that other processes may be refreshing too: one at a time, and whoever comes later takes what the
 * first one got. `undefined`: it is lost, and somebody has to sign in again. Rejects if nothing was proved.
 */
export function refreshGrant(request: RefreshRequest): Promise<VersionedGrant | undefined> {
  const { store, key } = request
  return store.withLock(key, () => refreshLocked(request), { timeoutMs: lockMs })
}

async function refreshLocked(request: RefreshRequest): Promise<VersionedGrant | undefined> {
  const { store, key, activeGrant, isRejected } = request
  const current = read(await store.get(key))
  if (current === undefined) return undefined
  const isOther = current.grant.accessToken !== activeGrant.grant.accessToken
  const isUseful = isOther ? !isExpired(current.grant, Date.now()) : !isRejected
  if (isUseful && !isExpiring(current.grant, Date.now())) return current
  return spend(request, current)
}

/** Presents a refresh token, which an issuer that rotates them takes once. */
async function spend(
  request: RefreshRequest,
  current: VersionedGrant,
): Promise<VersionedGrant | undefined> {
  const { store, key, target, http } = request
  const { refreshToken, clientId, requested, dpopJwk } = current.grant
  const identity = current.grant.registered ?? (await request.identify())
  if (refreshToken === undefined || identity?.id !== clientId) return undefined
  const dpop = dpopJwk === undefined ? undefined : await restoreDpopKey(dpopJwk)
  const call = { issuer: target.issuer, identity, resource: target.resource, dpop, http }
  const answer = await requestToken({ kind: 'refresh', refreshToken }, call)
  if (answer.kind === 'refused') return afterRejection(request, current, answer.error)
  const token = tokenOf(answer, call, 'refresh')
  const grant = grantFrom(token, { identity, requested, dpopJwk, refreshToken }, Date.now())
  return (await keepGrant(store, key, grant, current.version)) ?? read(await store.get(key))
}

/** Somebody without our lock may have been faster; only what is still there is lost. */
async function afterRejection(
  { store, key, target }: RefreshRequest,
  spent: VersionedGrant,
  error: string,
): Promise<VersionedGrant | undefined> {
  const now = read(await store.get(key))
  if (now !== undefined && now.grant.refreshToken !== spent.grant.refreshToken) return now
  if (error !== 'invalid_grant' && error !== 'invalid_client' && error !== 'unauthorized_client') {
    throw new AuthError(
      'token_refused',
      `${target.issuer.id} refused to refresh the token: ${error.slice(0, 60)}`,
      {
        step: 'refresh',
        issuer: target.issuer.id,
      },
    )
  }
  await store.delete(key, spent.version)
  return undefined
}

/** Writes a grant; `undefined` if it is no longer the version that was expected. */
export async function keepGrant(
  store: TokenStore,
  key: StoreKey,
  grant: Grant,
  expectedVersion?: string,
): Promise<VersionedGrant | undefined> {
  const version = crypto.randomUUID()
  const isKept = await store.set(key, { version, value: encodeGrant(grant) }, expectedVersion)
  return isKept ? { grant, version } : undefined
}

/** The grant in the store, if there is one that can be read. */
export function read(stored: StoredGrant | undefined): VersionedGrant | undefined {
  const grant = stored && decodeGrant(stored.value)
  return grant && stored ? { grant, version: stored.version } : undefined
}

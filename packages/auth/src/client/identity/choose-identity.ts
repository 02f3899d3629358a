import { AuthError } from '../../shared/auth-error.ts'
import { parseUrl } from '../../shared/url-rules.ts'
import type { StoreKey, TokenStore } from '../grants/token-store.ts'
import type { TokenIssuer } from '../issuer/issuer-metadata.ts'
import type { PrivateJwk } from '../options.ts'
import type { ClientIdentity } from './client-identity.ts'
import { findRegistration } from './registration.ts'

/** The client identity that the user configured. */
export interface ConfiguredClient {
  /** An id, or the URL of a client id metadata document. */
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  readonly key?: PrivateJwk | undefined
}

/** Whether a client id is the URL of a document about the client: https, with a path, and nothing else to it. */
export function isClientDocument(clientId: string): boolean {
  const url = parseUrl(clientId)
  if (url?.protocol !== 'https:' || url.pathname === '/') return false
  const isPlain = url.hash === '' && url.username === '' && url.password === ''
  return isPlain && url.href === clientId // no dot segments, no upper case host: one client, one id
}

/**
 * Who we are at an issuer without asking it: configured for it, configured at large, our document if it reads such, or
 * registered before. `undefined` leaves registering now.
 */
export async function findIdentity(
  issuer: TokenIssuer,
  configured: ConfiguredClient,
  store: TokenStore,
  resource: string,
): Promise<ClientIdentity | undefined> {
  const { settings, server } = issuer
  const method = settings.authMethod && { method: settings.authMethod }
  if (settings.clientId !== undefined) {
    const { clientId: id, clientSecret: secret, key } = settings
    return { id, source: 'configured', secret, key, ...method }
  }
  const { clientId: id, clientSecret: secret, key = settings.key } = configured
  if (id !== undefined && !isClientDocument(id)) {
    await keepToIssuer(id, issuer, store, resource)
    return { id, source: 'configured', secret, key, ...method }
  }
  if (id !== undefined && server['client_id_metadata_document_supported'] === true) {
    return { id, source: 'document', key, ...method }
  }
  return findRegistration(store, issuer.id)
}

/**
 * An id that was given without naming an issuer belongs to the first one it is used at. If the server names another
 * later, the id and its secret do not follow.
 */
async function keepToIssuer(
  clientId: string,
  issuer: TokenIssuer,
  store: TokenStore,
  resource: string,
): Promise<void> {
  const key: StoreKey = { kind: 'registration', issuer: '', resource, account: clientId }
  const first = await store.get(key)
  if (first === undefined) {
    await store.set(key, { version: crypto.randomUUID(), value: issuer.id })
  } else if (first.value !== issuer.id) {
    throw new AuthError(
      'issuer_mismatch',
      `the client id ${clientId} belongs to ${first.value}, but the server now uses ${issuer.id}`,
      {
        step: 'registration',
        issuer: issuer.id,
        hint: `If you have a client id for that issuer, set issuers: { '${issuer.id}': { clientId } }.`,
      },
    )
  }
}

/** There is no way to be anybody at this issuer. */
export function identityNeeded({ id, server }: TokenIssuer): AuthError {
  const offers = server['client_id_metadata_document_supported']
    ? 'Set the option clientId to the URL of your client ID metadata document'
    : 'Register a client there yourself'
  return new AuthError('client_id_needed', `${id} does not let clients register themselves`, {
    step: 'registration',
    issuer: id,
    hint: `${offers}, or set its clientId and clientSecret: issuers: { '${id}': { clientId, clientSecret } }.`,
  })
}

import { createHash } from 'node:crypto'

import type { Client, Grant, KoaContextWithOIDC } from 'oidc-provider'

import { stringsOf } from '../../shared/json-document.ts'
import { redirectKind } from '../clients/client-metadata.ts'
import type { Settings } from '../settings.ts'
import {
  findResource,
  serverScopes,
  resourceScopes,
  scopeLimit,
  splitScopes,
} from '../tokens/scopes.ts'

/** Somebody's yes to a client. */
export interface Consent {
  readonly subject: string
  readonly clientId: string
  readonly redirectUri: string
  readonly resource: string
  readonly scopes: readonly string[]
  /** Scopes that are about signing in. */
  readonly own: readonly string[]
}

const rememberMs = 90 * 86_400_000

/** Reads what a request asks a person to allow, without the scopes that the client may not have. */
export function readRequest(
  parameters: { readonly [name: string]: unknown },
  { clientId }: Pick<Client, 'clientId'>,
  settings: Settings,
): Omit<Consent, 'subject'> {
  const { redirect_uri: redirectUri, resource, scope } = parameters
  const text = typeof scope === 'string' ? scope : undefined
  const limit = scopeLimit(clientId, settings)
  return {
    clientId,
    redirectUri: String(redirectUri),
    resource: typeof resource === 'string' ? resource : String(settings.resources[0]),
    scopes: resourceScopes(text).filter((candidate) => limit?.includes(candidate) ?? true),
    own: splitScopes(text).filter((candidate) => serverScopes.includes(candidate)),
  }
}

/**
 * Remembers, unless the client lives on somebody's machine: any program there can take its place, so people are asked
 * each time (RFC 8252 section 8.6).
 */
export async function rememberConsent(consent: Consent, { store }: Settings): Promise<void> {
  if (redirectKind(consent.redirectUri) !== 'web') return
  await store.set('Consent', keyOf(consent), allScopes(consent), rememberMs)
}

/** A grant from an earlier yes that covers all that is asked for now. A new one: each sign-in can be revoked alone. */
export async function findGrant(
  context: KoaContextWithOIDC,
  settings: Settings,
): Promise<Grant | undefined> {
  const { oidc } = context
  const grantId = oidc.result?.['consent']?.grantId
  if (grantId !== undefined) return oidc.provider.Grant.find(grantId)
  const { account, client, params } = oidc
  if (account === undefined || client === undefined || params === undefined) return undefined
  const consent = { ...readRequest(params, client, settings), subject: account.accountId }
  const remembered = stringsOf(await settings.store.get('Consent', keyOf(consent))) ?? []
  if (remembered.length === 0 || !allScopes(consent).every((scope) => remembered.includes(scope))) {
    return undefined
  }
  const { Grant } = oidc.provider
  return saveGrant(new Grant({ accountId: consent.subject, clientId: consent.clientId }), consent)
}

/** Writes a consent into a grant of the provider. */
export async function saveGrant(
  grant: Grant,
  { resource, scopes, own }: Pick<Consent, 'resource' | 'scopes' | 'own'>,
): Promise<Grant> {
  if (own.length > 0) grant.addOIDCScope(own.join(' '))
  if (scopes.length > 0) grant.addResourceScope(resource, scopes.join(' '))
  await grant.save()
  return grant
}

function allScopes({ scopes, own }: Consent): readonly string[] {
  return [...scopes, ...own]
}

function keyOf({ subject, clientId, redirectUri, resource }: Consent): string {
  const parts = [subject, clientId, new URL(redirectUri).host, resource]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** The configured name of the resource of a request, for people. */
export function shownResource(resource: string, { resources }: Settings): string {
  return findResource(resource, resources) ?? resource
}

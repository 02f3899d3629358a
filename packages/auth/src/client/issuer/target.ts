import { AuthError, isAuthError } from '../../shared/auth-error.ts'
import type { Challenge } from '../../shared/challenge.ts'
import type { TokenOptions, AuthHttp } from '../options.ts'
import { canonicalResource, partOf } from '../server-url.ts'
import { splitScopes } from '../tokens/scopes.ts'
import { findIssuer, type TokenIssuer } from './issuer-metadata.ts'
import { issuerAtServer, settingsFor } from './known-issuers.ts'
import { findResourceMetadata, type BoundTokens } from './resource-metadata.ts'

/** A server, and who gives tokens for it. */
export interface Target {
  readonly resource: string
  /** The server, where it is only a part of the resource that it names. */
  readonly server?: string | undefined
  readonly issuer: TokenIssuer
  /** The scopes of the challenge. */
  readonly challengedScopes: readonly string[] | undefined
  /** The scopes of the server's metadata. */
  readonly supportedScopes: readonly string[] | undefined
  /** The rule from the server's metadata, or from the scheme of its challenge. */
  readonly dpop: BoundTokens
}

/** From a server's challenge to a checked issuer. Nothing is remembered: what the server says now is what counts. */
export async function findTarget(
  serverUrl: URL,
  challenge: Challenge | undefined,
  http: AuthHttp,
  options: TokenOptions,
  isKnown: (issuer: string) => Promise<boolean>,
): Promise<Target> {
  const challengedScopes = splitScopes(challenge?.parameters.get('scope'))
  const challengedDpop = challenge?.scheme === 'dpop' ? 'optional' : 'off'
  const metadata = await findResourceMetadata(serverUrl, challenge, http, options.metadataOrigins)
  if (metadata === undefined) {
    const settings = settingsFor(serverUrl.origin, options.issuers)
    const issuer = await issuerAtServer(serverUrl, settings, http)
    onlyWanted([issuer.id], options, serverUrl.href)
    return {
      resource: canonicalResource(serverUrl),
      issuer,
      challengedScopes,
      supportedScopes: undefined,
      dpop: challengedDpop,
    }
  }
  const { resource, scopes: supportedScopes } = metadata
  const dpop = metadata.dpop === 'off' ? challengedDpop : metadata.dpop
  const issuer = await firstUsable(
    await knownFirst(onlyWanted(metadata.issuers, options, resource), options, isKnown),
    http,
    options,
  )
  const server = partOf(resource, serverUrl)
  return { resource, server, issuer, challengedScopes, supportedScopes, dpop }
}

/** Returns only configured issuers: a user who configured one trusts no other. */
function onlyWanted(
  named: readonly string[],
  { issuer }: TokenOptions,
  resource: string,
): readonly string[] {
  if (issuer === undefined) return named
  const wanted = named.filter((each) => each.replace(/\/$/, '') === issuer.replace(/\/$/, ''))
  if (wanted.length > 0) return wanted
  const others = named.slice(0, 5).join(', ').slice(0, 300)
  throw new AuthError(
    'issuer_mismatch',
    `${resource} takes tokens of ${others}, not of ${issuer}`,
    {
      step: 'resource',
      issuer,
      resource,
      hint: 'Correct the option issuer, or leave it out to trust whom the server names.',
    },
  )
}

/** One we have been to or were told about comes before one we have not. */
async function knownFirst(
  issuers: readonly string[],
  { issuers: settings }: TokenOptions,
  isKnown: (issuer: string) => Promise<boolean>,
): Promise<readonly string[]> {
  if (issuers.length === 1) return issuers
  const ranked = await Promise.all(
    issuers.map(async (issuer) => {
      const isNamed = settings !== undefined && Object.hasOwn(settings, issuer)
      return { issuer, isKnown: isNamed || (await isKnown(issuer)) }
    }),
  )
  return ranked
    .toSorted((a, b) => Number(b.isKnown) - Number(a.isKnown))
    .map(({ issuer }) => issuer)
}

async function firstUsable(
  issuers: readonly string[],
  http: AuthHttp,
  options: TokenOptions,
): Promise<TokenIssuer> {
  let missing: unknown
  for (const issuer of issuers.slice(0, 5)) {
    try {
      return await findIssuer(issuer, settingsFor(issuer, options.issuers), http)
    } catch (error) {
      if (!isAuthError(error, 'metadata_not_found')) throw error
      missing ??= error
    }
  }
  throw missing
}

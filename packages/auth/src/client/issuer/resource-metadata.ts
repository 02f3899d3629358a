import { AuthError } from '../../shared/auth-error.ts'
import { type Challenge, findChallenge, parseChallenges } from '../../shared/challenge.ts'
import { fetchDocument, stringsOf, type JsonObject } from '../../shared/json-document.ts'
import { parseUrl } from '../../shared/url-rules.ts'
import type { AuthHttp } from '../options.ts'
import { isResourceOf } from '../server-url.ts'

/** Whether a server takes, or demands, tokens that are bound to a key. One that says nothing may know no other scheme than `Bearer`. */
export type BoundTokens = 'off' | 'optional' | 'required'

/** The server's metadata about its issuers (RFC 9728). */
export interface ResourceMetadata {
  /** The very text; it is sent back as the `resource` of every request. */
  readonly resource: string
  readonly issuers: readonly string[]
  readonly scopes: readonly string[] | undefined
  /** The rule for tokens that are bound to a key. */
  readonly dpop: BoundTokens
}

const wellKnown = '/.well-known/oauth-protected-resource'

/**
 * Finds the server's document: where its challenge says, else below the server's path, else at the root.
 * `undefined` if there is none, which is how servers of 2025-03-26 are.
 */
export async function findResourceMetadata(
  serverUrl: URL,
  challenge: Challenge | undefined,
  http: AuthHttp,
  allowedOrigins: readonly string[] = [],
): Promise<ResourceMetadata | undefined> {
  const named = parseUrl(challenge?.parameters.get('resource_metadata'), serverUrl)
  const isOurs = named && [serverUrl.origin, ...allowedOrigins].includes(named.origin)
  for (const url of [...(isOurs ? [named] : []), ...wellKnownUrls(serverUrl)]) {
    const found = await fetchDocument(url, http, { step: 'resource', sameOrigin: true })
    if (found.kind === 'found') return checkDocument(found.document, serverUrl)
  }
  if (named === undefined || isOurs) return undefined
  throw new AuthError(
    'address_refused',
    `${serverUrl.origin} refers to metadata at another origin, ${named.origin}`,
    {
      step: 'resource',
      hint: `If that is intended, allow it: metadataOrigins: ['${named.origin}'].`,
    },
  )
}

/** Where a server's document is when nobody says: below its path, then at the root (RFC 9728 section 3.1). */
export function wellKnownUrls({ origin, pathname }: URL): readonly URL[] {
  const root = new URL(`${origin}${wellKnown}`)
  return pathname === '/' ? [root] : [new URL(`${origin}${wellKnown}${pathname}`), root]
}

function checkDocument(document: JsonObject, serverUrl: URL): ResourceMetadata {
  const { resource } = document
  if (typeof resource !== 'string' || !isResourceOf(resource, serverUrl)) {
    throw new AuthError(
      'resource_mismatch',
      `the metadata of ${serverUrl.href} describes another resource, ${JSON.stringify(resource)?.slice(0, 200)}`,
      {
        step: 'resource',
        resource: serverUrl.href,
        hint: "Connect to the URL in the metadata, or have the server's metadata corrected.",
      },
    )
  }
  const issuers = stringsOf(document['authorization_servers']) ?? []
  if (issuers.length === 0) {
    throw new AuthError('metadata_invalid', `${resource} names no authorization server`, {
      step: 'resource',
      resource,
      hint: 'Its metadata lacks authorization_servers.',
    })
  }
  return {
    resource,
    issuers,
    scopes: stringsOf(document['scopes_supported']),
    dpop: boundTokens(document),
  }
}

function boundTokens(document: JsonObject): BoundTokens {
  if (document['dpop_bound_access_tokens_required'] === true) return 'required'
  const algorithms = stringsOf(document['dpop_signing_alg_values_supported'])
  return algorithms?.includes('ES256') ? 'optional' : 'off'
}

/** Sends a request without a token; the challenge may name the server's metadata and required scopes. */
export async function probe(server: URL, http: AuthHttp): Promise<Challenge | undefined> {
  const response = await http.fetch(server.href, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    signal: http.signal,
  })
  await response.body?.cancel()
  if (response.status !== 401) return undefined
  const header = response.headers.get('www-authenticate') ?? undefined
  return findChallenge(parseChallenges(header), 'bearer', 'dpop')
}

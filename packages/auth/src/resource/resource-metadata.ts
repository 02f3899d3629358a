import { algorithms, resourceId } from './access-token.ts'
import type { DpopUse } from './options.ts'

const wellKnown = '/.well-known/oauth-protected-resource'

/** Where the metadata of a resource is: the path goes behind the well-known one (RFC 9728 section 3.1). */
export function metadataUrl({ origin, pathname, search }: URL): string {
  return `${origin}${wellKnown}${pathname === '/' ? '' : pathname}${search}`
}

/** The metadata that clients can read before they have a token. */
export interface MetadataRules {
  readonly issuers: readonly string[]
  readonly scopes: readonly string[]
  readonly dpop: DpopUse
}

/** Answers for both places of the metadata; undefined for all other paths. */
export function serveMetadata(
  request: Request,
  resource: URL,
  rules: MetadataRules,
): Response | undefined {
  const { pathname } = new URL(request.url)
  if (pathname !== wellKnown && pathname !== new URL(metadataUrl(resource)).pathname)
    return undefined
  switch (request.method) {
    case 'GET':
    case 'HEAD': {
      const headers = {
        ...open,
        'content-type': 'application/json',
        'cache-control': 'public, max-age=300',
      }
      const body = JSON.stringify(describeResource(resource, rules))
      return new Response(request.method === 'HEAD' ? null : body, { headers })
    }
    case 'OPTIONS':
      return new Response(null, { status: 204, headers: { ...open, ...preflight } })
    default:
      return new Response(null, { status: 405, headers: { ...open, allow: 'GET, HEAD, OPTIONS' } })
  }
}

/** For everybody: pages of any origin read it. */
const open = { 'access-control-allow-origin': '*' }
const preflight = {
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': '*, mcp-protocol-version',
  'access-control-max-age': '86400',
}

function describeResource(resource: URL, { issuers, scopes, dpop }: MetadataRules): object {
  return {
    resource: resourceId(resource),
    authorization_servers: issuers,
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
    ...(dpop !== 'off' && { dpop_signing_alg_values_supported: algorithms }),
    ...(dpop === 'required' && { dpop_bound_access_tokens_required: true }),
  }
}

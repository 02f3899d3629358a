import { isLoopbackHost } from '@parley/mcp/address'
import { isJsonObject } from '@parley/mcp/json'

import { stringsOf, type JsonObject, plainText } from '../../shared/json-document.ts'
import { parseUrl } from '../../shared/url-rules.ts'
import type { Settings } from '../settings.ts'

/** A client's metadata, as far as we use it; or why we do not. */
export type ClientMetadata =
  | { readonly kind: 'sound'; readonly metadata: JsonObject }
  | { readonly kind: 'faulty'; readonly field: 'redirect_uris' | 'other'; readonly why: string }

/** Where a redirect URI leads. */
export type RedirectKind = 'web' | 'loopback' | 'app'

const methods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt']
/** Only these: tokens without a person are for clients that were agreed on. */
const grants = ['authorization_code', 'refresh_token']
const maxRedirects = 20

/** Takes the fields we go by, fills in what clients tend to leave out, and drops the rest. */
export function readClientMetadata(
  value: unknown,
  { appSchemes }: Pick<Settings, 'appSchemes'>,
): ClientMetadata {
  if (!isJsonObject(value)) return faulty('it is not a JSON object')
  const redirectUris = stringsOf(value['redirect_uris']) ?? []
  if (redirectUris.length === 0) return faultyRedirect('redirect_uris is missing')
  if (redirectUris.length > maxRedirects) return faultyRedirect('redirect_uris is too long')
  const kinds = redirectUris.map(redirectKind)
  const bad = redirectUris.find((_, index) => kinds[index] === undefined)
  if (bad !== undefined) return faultyRedirect(`${plainText(bad, 100)} is not a redirect URI`)
  const app = redirectUris
    .filter((_, index) => kinds[index] === 'app')
    .map((uri) => new URL(uri).protocol.slice(0, -1))
    .find((scheme) => !appSchemes.includes(scheme))
  if (app !== undefined) {
    return faultyRedirect(
      `redirect URIs must be https or loopback; the server can allow ${app}: with appSchemes`,
    )
  }

  const method = value['token_endpoint_auth_method']
  if (method !== undefined && !methods.some((candidate) => candidate === method)) {
    return faulty(`token_endpoint_auth_method must be one of ${methods.join(', ')}`)
  }
  const isNative = kinds.some((kind) => kind !== 'web')
  if (value['application_type'] === 'web' && kinds.includes('app')) {
    return faultyRedirect('a web application cannot have a redirect URI with a custom scheme')
  }
  const name = value['client_name']
  return {
    kind: 'sound',
    metadata: {
      redirect_uris: redirectUris,
      // Told by its URIs: clients older than the field have loopback URIs and do not send it.
      application_type: isNative ? 'native' : 'web',
      response_types: ['code'],
      grant_types: grantsOf(value['grant_types']),
      ...(method !== undefined && { token_endpoint_auth_method: method }),
      ...(typeof name === 'string' && name.trim() !== '' && { client_name: plainText(name, 80) }),
      ...keysOf(value),
    },
  }
}

/** Undefined for what must never be redirected to. */
export function redirectKind(uri: string): RedirectKind | undefined {
  const url = parseUrl(uri)
  if (url === undefined || url.username !== '' || url.password !== '') return undefined
  // oxlint-disable-next-line no-control-regex
  if (uri.includes('#') || uri.includes('*') || /[\x00-\x20\x7f\\]/.test(uri)) return undefined
  if (url.protocol === 'https:') return isLoopbackHost(url.hostname) ? undefined : 'web'
  if (url.protocol === 'http:') {
    return ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) ? 'loopback' : undefined
  }
  return neverSchemes.has(url.protocol) ? undefined : 'app'
}

/** The schemes that browsers and systems handle themselves. */
const neverSchemes = new Set(
  'javascript: data: blob: file: ftp: ws: wss: about: vbscript: view-source: filesystem: mailto: tel: sms: intent:'.split(
    ' ',
  ),
)

function grantsOf(value: unknown): readonly string[] {
  const requested = stringsOf(value)
  if (requested === undefined) return grants
  return grants.filter((grant) => grant === 'authorization_code' || requested.includes(grant))
}

function keysOf(value: JsonObject): JsonObject {
  const { jwks, jwks_uri: uri } = value
  if (isJsonObject(jwks)) return { jwks }
  return typeof uri === 'string' ? { jwks_uri: uri } : {}
}

function faulty(why: string): ClientMetadata {
  return { kind: 'faulty', field: 'other', why }
}

function faultyRedirect(why: string): ClientMetadata {
  return { kind: 'faulty', field: 'redirect_uris', why }
}

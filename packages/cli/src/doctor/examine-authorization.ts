import { parseUrl } from '@parley/mcp/address'
import { parseJson, isJsonObject, errorMessage } from '@parley/mcp/json'

import { excerpt, member, type JsonObject } from '../json.ts'
import type { Exchange } from '../probe/exchange.ts'
import { readText } from '../probe/read-text.ts'
import type { Location } from './examine-http.ts'
import type { Examining } from './examining.ts'
import { bad, good, warning, type Step } from './step.ts'

/** From the challenge to the issuer: everything a client needs before anybody can sign in. */
export async function* examineAuthorization(
  { url }: Location,
  { http }: Exchange,
  { options = {} }: Examining = {},
): AsyncGenerator<Step> {
  const timeoutMs = options.timeoutMs ?? 10_000
  const challenge = http?.header('www-authenticate')
  const named = /resource_metadata="([^"]+)"/.exec(challenge ?? '')?.[1]
  if (challenge === undefined) {
    yield bad(
      'the challenge',
      `HTTP ${http?.status} without WWW-Authenticate`,
      'Answer 401 with WWW-Authenticate: Bearer resource_metadata="…" [AERR-01].',
    )
  } else if (named === undefined) {
    yield warning(
      'the challenge',
      excerpt(challenge, 150),
      'Name resource_metadata in it: clients of 2025-06-18 look there first [ADISC-02].',
    )
  } else yield good('the challenge', excerpt(challenge, 150))

  const { origin, pathname } = new URL(url)
  const metadataUrl =
    named ?? `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`
  const resource = await fetchJson(metadataUrl, timeoutMs)
  if (resource.document === undefined) {
    yield bad(
      'the metadata of the server',
      `${metadataUrl}: ${resource.why}`,
      'Serve it there, as JSON, without a login [ADISC-01].',
    )
    return
  }
  yield examineResource(resource.document, url)
  const issuers = resource.document['authorization_servers']
  const issuer = Array.isArray(issuers) ? issuers[0] : undefined
  if (typeof issuer !== 'string' || parseUrl(issuer) === undefined) {
    yield bad(
      'the issuer',
      'the metadata names no issuer',
      'List its URL in authorization_servers.',
    )
    return
  }
  yield await examineIssuer(issuer, timeoutMs)
}

function examineResource(document: JsonObject, url: string): Step {
  const title = 'the metadata of the server'
  const reportedResource = document['resource']
  if (typeof reportedResource !== 'string')
    return bad(title, 'it has no resource', 'Put the URL of the server into resource.')
  if (covers(reportedResource, url)) return good(title, `resource ${reportedResource}`)
  return bad(
    title,
    `it describes ${excerpt(reportedResource, 100)}, not ${url}`,
    'resource must be the address clients use; behind a proxy that is the public one.',
  )
}

/** Whether an address is the resource, or below it. */
function covers(resource: string, url: string): boolean {
  const [whole, part] = [parseUrl(resource), new URL(url)]
  if (whole === undefined) return false
  const path = whole.pathname.replace(/\/$/, '')
  const isBelow = part.pathname === path || part.pathname.startsWith(`${path}/`)
  return whole.origin === part.origin && isBelow
}

async function examineIssuer(issuer: string, timeoutMs: number): Promise<Step> {
  const title = `the issuer ${issuer}`
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const tried: string[] = []
  for (const metadataUrl of [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]) {
    const { document, why } = await fetchJson(metadataUrl, timeoutMs)
    if (document === undefined) tried.push(`${metadataUrl}: ${why}`)
    else return judgeIssuer(title, document, issuer)
  }
  return bad(
    title,
    `no metadata (${tried.join('; ')})`,
    'Serve RFC 8414 metadata; check authorization_servers.',
  )
}

function judgeIssuer(title: string, document: JsonObject, issuer: string): Step {
  const reportedIssuer = document['issuer']
  if (
    reportedIssuer !== issuer &&
    reportedIssuer !== `${issuer}/` &&
    (typeof reportedIssuer !== 'string' || `${reportedIssuer}/` !== issuer)
  ) {
    return bad(
      title,
      `its metadata names another issuer, ${excerpt(reportedIssuer, 100)}`,
      'authorization_servers must hold the issuer exactly as its metadata writes it.',
    )
  }
  const methods = member(document, 'code_challenge_methods_supported')
  if (!Array.isArray(methods) || !methods.includes('S256')) {
    return bad(
      title,
      'S256 is not in code_challenge_methods_supported',
      'Clients refuse to sign in without PKCE: list S256 [ASEC-08].',
    )
  }
  const canRegister = typeof document['registration_endpoint'] === 'string'
  const hasDocuments = document['client_id_metadata_document_supported'] === true
  if (!canRegister && !hasDocuments) {
    return warning(
      title,
      'clients can neither register nor use a metadata document',
      'Every client needs an id beforehand: parley auth login --client-id ID.',
    )
  }
  return good(title, `S256, ${hasDocuments ? 'client documents' : 'registration'}`)
}

async function fetchJson(
  url: string,
  timeoutMs: number,
): Promise<{ readonly document?: JsonObject; readonly why: string }> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) return { why: `HTTP ${response.status}` }
    const value = parseJson(await readText(response, 256 * 1024))
    return isJsonObject(value) ? { document: value, why: '' } : { why: 'not a JSON object' }
  } catch (error) {
    return { why: errorMessage(error) }
  }
}

import { isLoopbackHost } from '@parley/mcp/address'

import { AuthError } from '../shared/auth-error.ts'
import { fetchDocument, type JsonObject } from '../shared/json-document.ts'
import { createSafeFetch } from '../shared/safe-fetch.ts'
import { metadataUrls, findUrlProblem, parseUrl } from '../shared/url-rules.ts'
import { listOf, type IssuerRules, type TokenVerifier } from './options.ts'

/** How one issuer is reached. */
export interface IssuerAccess {
  readonly issuer: string
  readonly fetch: typeof fetch
  /** Its metadata, fetched when first needed. Rejects with `AuthError`. */
  metadata(): Promise<JsonObject>
  /** An address its metadata names; checked before it is used. */
  endpoint(name: string): Promise<URL>
}

/** After a failure nobody asks again for so long, however many requests wait for it. */
const cooldownMs = 5_000
const retentionMs = 24 * 60 * 60 * 1000

export function createIssuerAccess(rules: IssuerRules, customFetch?: typeof fetch): IssuerAccess {
  const [issuer = ''] = listOf(rules.issuer)
  const url = parseUrl(issuer)
  const allowLoopback = url !== undefined && isLoopbackHost(url.hostname)
  const network = allowLoopback ? 'loopback' : 'public'
  const outside = customFetch ?? createSafeFetch({ network })
  const fetchFrom =
    rules.fetch && url ? answeredHere(rules.fetch.bind(rules), url, outside) : outside
  let found: Promise<JsonObject> | undefined
  let retryAt = 0

  async function find(): Promise<JsonObject> {
    if (url === undefined) throw unusable(issuer, 'it is not a valid URL')
    const http = { fetch: fetchFrom, allowLoopback, signal: AbortSignal.timeout(10_000) }
    const tried: string[] = []
    for (const candidate of metadataUrls(url)) {
      const document = await fetchDocument(candidate, http, { step: 'verify' })
      if (document.kind === 'absent') tried.push(`${candidate.href}: ${document.why}`)
      else if (listOf(rules.issuer).some((name) => isSame(document.document['issuer'], name))) {
        return document.document
      } else tried.push(`${candidate.href}: the metadata of another issuer`)
    }
    throw unusable(issuer, tried.join('; '))
  }

  function metadata(): Promise<JsonObject> {
    if (found !== undefined && Date.now() < retryAt) return found
    retryAt = Date.now() + retentionMs
    found = find()
    found.catch(() => (retryAt = Date.now() + cooldownMs)) // those who wait for it get the error
    return found
  }

  return {
    issuer,
    fetch: fetchFrom,
    metadata,
    async endpoint(name) {
      const endpointUrl = parseUrl((await metadata())[name])
      const problem = endpointUrl ? findUrlProblem(endpointUrl, { allowLoopback }) : 'it is missing'
      if (endpointUrl === undefined || problem !== undefined)
        throw unusable(issuer, `${name}: ${problem}`)
      return endpointUrl
    },
  }
}

/** An issuer in this process is asked directly: its public address may not lead back here. */
function answeredHere(
  answer: (request: Request) => Promise<Response>,
  { origin }: URL,
  outside: typeof fetch,
): typeof fetch {
  return (input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).origin === origin ? answer(request) : outside(input, init)
  }
}

/** Plain comparison; only the slash after a bare origin is forgiven. */
function isSame(reported: unknown, name: string): boolean {
  if (typeof reported !== 'string') return false
  if (reported === name) return true
  return parseUrl(name)?.pathname === '/' && (`${reported}/` === name || reported === `${name}/`)
}

function unusable(issuer: string, why: string): AuthError {
  return new AuthError('metadata_not_found', `the metadata of ${issuer} cannot be used (${why})`, {
    step: 'verify',
    issuer,
    hint: 'Write the issuer exactly as in its tokens. If it has no metadata, set jwksUri to the address of its keys.',
  })
}

const bindings = new WeakMap<TokenVerifier, (access: IssuerAccess) => TokenVerifier>()

/** A verifier that needs to know whose tokens it looks at; by itself it goes to public addresses. */
export function bindable(bind: (access: IssuerAccess) => TokenVerifier): TokenVerifier {
  let alone: TokenVerifier | undefined
  const verifier: TokenVerifier = (token, request) => {
    alone ??= bind(createIssuerAccess({ issuer: '' }))
    return alone(token, request)
  }
  bindings.set(verifier, bind)
  return verifier
}

/** The verifier for this issuer. */
export function bindVerifier(verifier: TokenVerifier, access: IssuerAccess): TokenVerifier {
  return bindings.get(verifier)?.(access) ?? verifier
}

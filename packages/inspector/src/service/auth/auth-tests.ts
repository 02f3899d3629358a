import type { Methods } from '../../protocol/index.ts'
import { ProblemError } from '../problem.ts'

type Test = Methods['auth/test']['params']['test']
type Verdict = Methods['auth/test']['result']

/** Asks a server with a token it must refuse, or with none. Tokens are forged, so none of them could do harm. */
export async function testRejection(
  url: string,
  test: Test,
  issuer: string | undefined,
): Promise<Verdict> {
  const { protocol } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new ProblemError('not_http', 'only servers over HTTP can ask for tokens')
  }
  const answer = await requestWithToken(
    url,
    tokenFor(test, url, issuer ?? 'https://issuer.example'),
  )
  return { ...answer, ...classify(answer.status, answer.challenge, test) }
}

/** What a server says to a plain ping with this token, or with none. */
export async function requestWithToken(
  url: string,
  token: string | undefined,
): Promise<{ readonly status: number; readonly challenge?: string | undefined }> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(15_000),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  await response.body?.cancel()
  const challenge = response.headers.get('www-authenticate') ?? undefined
  return { status: response.status, ...(challenge && { challenge }) }
}

function tokenFor(test: Test, audience: string, issuer: string): string | undefined {
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer, aud: audience, sub: 'inspector-test', iat: now, exp: now + 300 }
  switch (test) {
    case 'none':
      return undefined
    case 'garbage':
      return 'this-is-no-token'
    case 'expired':
      return forgeToken({ ...claims, iat: now - 7200, exp: now - 3600 })
    case 'wrong-issuer':
      return forgeToken({ ...claims, iss: 'https://elsewhere.example' })
    case 'wrong-audience':
      return forgeToken({ ...claims, aud: 'https://elsewhere.example/mcp' })
  }
}

const names: { readonly [T in Test]: string } = {
  none: 'a request without a token',
  garbage: 'an invalid token',
  expired: 'a token that has expired',
  'wrong-issuer': 'a token of another issuer',
  'wrong-audience': 'a token for another server',
}

function classify(
  status: number,
  challenge: string | undefined,
  test: Test,
): Pick<Verdict, 'verdict' | 'ok'> {
  const what = names[test]
  if (status === 401 && challenge !== undefined) {
    const leads = /resource_metadata=/.test(challenge) ? '' : ' The challenge names no metadata.'
    return { ok: true, verdict: `It refuses ${what}, as it should.${leads}` }
  }
  if (status === 401) {
    return {
      ok: false,
      verdict: `It refuses ${what}, but without WWW-Authenticate no client learns where to sign in.`,
    }
  }
  if (status === 403)
    return { ok: false, verdict: `It answers 403 to ${what}; a client expects 401.` }
  if (status >= 200 && status < 300) {
    if (test === 'none') return { ok: true, verdict: 'It needs no token: everyone may use it.' }
    return {
      ok: false,
      verdict: `It accepts ${what}: anyone can forge one, unless the server needs no token at all.`,
    }
  }
  return {
    ok: false,
    verdict: `It answers ${status} to ${what}; that neither accepts nor refuses the token.`,
  }
}

/** What a token says about itself, where it is one that can be read; the token itself is not in it. */
export function claimsOf(token: string): { readonly [name: string]: unknown } | undefined {
  const [, payload] = token.split('.')
  if (payload === undefined || token.split('.').length !== 3) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** A token of the usual form that nobody has signed. */
function forgeToken(claims: { readonly [name: string]: unknown }): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signature = Buffer.from(crypto.getRandomValues(new Uint8Array(64))).toString('base64url')
  return `${part({ alg: 'ES256', typ: 'at+jwt' })}.${part(claims)}.${signature}`
}

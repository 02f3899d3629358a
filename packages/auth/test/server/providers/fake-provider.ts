import { createHash, randomUUID } from 'node:crypto'

import type { Behaviour, Said } from './behaviours.ts'

interface Code {
  readonly user: string
  readonly redirectUri: string
  readonly challenge: string | null
  readonly nonce: string | undefined
}

/** A request that a provider got. */
export interface Seen {
  readonly url: string
  readonly headers: Headers
  readonly form: URLSearchParams
}

/** A provider in this process that behaves as one of those we know documents. */
export function createFakeProvider(behaviour: Behaviour) {
  const codes = new Map<string, Code>()
  const users = new Map<string, string>()
  const refreshes = new Map<string, string>()
  const seen: Seen[] = []
  const issued: string[] = []
  const provider = {
    /** Who signs in there, and whom new tokens are for. */
    user: '4711',
    /** Answers instead of what it documents. */
    intercept: undefined as
      | ((request: Request) => Response | Promise<Response> | undefined)
      | undefined,
    seen,
    /** Every token that it gave. */
    issued,
    at: (url: string) => seen.filter((one) => one.url === url),
    /** All that it gave is not good any more. */
    revokeAll() {
      users.clear()
      refreshes.clear()
    },
    /** Access tokens end, refresh tokens stay. */
    expireAll: () => users.clear(),
    userOf: (accessToken: string) => users.get(accessToken),
    authorize,
    fetch: (async (input, init) => answer(new Request(input, init))) as typeof fetch, // all that is used of it
  }

  /** What the page there does when somebody agrees: the address they are sent back to. */
  function authorize(address: string): URL {
    const url = new URL(address)
    const query = url.searchParams
    if (`${url.origin}${url.pathname}` !== behaviour.authorizeAt)
      throw new Error(`not its page: ${address}`)
    for (const [name, value] of Object.entries({
      ...behaviour.wants,
      client_id: 'our-id',
      response_type: 'code',
    }))
      if (query.get(name) !== value) throw new Error(`${name} is ${query.get(name)}, not ${value}`)
    const rejected = behaviour.refuses?.find((name) => query.has(name))
    if (rejected !== undefined) throw new Error(`${rejected} is not for it`)
    const code = randomUUID()
    const redirectUri = query.get('redirect_uri') ?? ''
    codes.set(code, {
      user: provider.user,
      redirectUri,
      challenge: query.get('code_challenge'),
      nonce: query.get('nonce') ?? undefined,
    })
    const back = new URL(redirectUri)
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    const { body } = behaviour.metadata ?? {}
    if (body?.['authorization_response_iss_parameter_supported'])
      back.searchParams.set('iss', String(body['issuer']))
    return back
  }

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const own = await provider.intercept?.(request.clone())
    if (own !== undefined) return own
    const text = await request.text()
    const isJson = request.headers.get('content-type') === 'application/json'
    const form = new URLSearchParams(isJson ? (JSON.parse(text) as Record<string, string>) : text) // ours
    seen.push({ url: `${url.origin}${url.pathname}`, headers: request.headers, form })
    const missing = behaviour.needs?.find((name) => !request.headers.has(name))
    if (missing !== undefined && url.href !== behaviour.tokenAt)
      return say({ status: 403, body: { message: missing } })
    switch (url.href) {
      case behaviour.metadata?.at:
        return say({ body: behaviour.metadata?.body ?? {} })
      case behaviour.tokenAt:
        return say(token(request, form, isJson))
      case behaviour.userAt: {
        const user = users.get(bearerOf(request))
        return say(
          user === undefined
            ? (behaviour.badToken ?? { body: {} })
            : { body: behaviour.user?.(user) ?? {} },
        )
      }
      default:
        return new Response('nothing here', { status: 404 })
    }
  }

  function token({ headers }: Request, form: URLSearchParams, isJson: boolean): Said {
    if (isJson !== (behaviour.format === 'json'))
      return { status: 415, body: { error: 'invalid_request' } }
    if (!headers.get('accept')?.includes('application/json'))
      return { status: 406, body: { error: 'accept' } }
    const [, basic = ''] = /^Basic (.+)$/.exec(headers.get('authorization') ?? '') ?? []
    const pair = decodeURIComponent(Buffer.from(basic, 'base64').toString('utf8'))
    const isOurs =
      behaviour.clientAuth === 'basic'
        ? pair === 'our-id:our-secret' && !form.has('client_secret')
        : form.get('client_id') === 'our-id' && form.get('client_secret') === 'our-secret'
    if (!isOurs) return { status: 401, body: { error: 'invalid_client' } }
    if (form.get('grant_type') === 'refresh_token') {
      const before = form.get('refresh_token') ?? ''
      const user = refreshes.get(before)
      if (user === undefined)
        return behaviour.badRefresh ?? { status: 400, body: { error: 'unsupported_grant_type' } }
      if (behaviour.rotates !== false) refreshes.delete(before)
      return give({ user: provider.user, nonce: undefined }, true)
    }
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isProven =
      code?.challenge === null ? !form.has('code_verifier') : code?.challenge === verifier
    if (!code || !isProven || code.redirectUri !== form.get('redirect_uri'))
      return behaviour.badCode
    return give(code, false)
  }

  function give({ user, nonce }: Pick<Code, 'user' | 'nonce'>, isRefresh: boolean): Said {
    const accessToken = `access-${randomUUID()}`
    const refreshToken = `refresh-${randomUUID()}`
    users.set(accessToken, user)
    refreshes.set(refreshToken, user)
    issued.push(accessToken, refreshToken)
    return { body: behaviour.tokens({ user, accessToken, refreshToken, isRefresh, nonce }) }
  }

  return provider
}

export type FakeProvider = ReturnType<typeof createFakeProvider>

function bearerOf({ headers }: Request): string {
  return /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? ''
}

function say({ status = 200, body }: Said): Response {
  return Response.json(body, { status })
}

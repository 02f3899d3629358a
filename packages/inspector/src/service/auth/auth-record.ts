import { createMask } from '@parley/foundation/trace'
import { errorMessage } from '@parley/mcp/json'

import type { AuthStep } from '../../protocol/index.ts'

/** A step without what the service adds. */
export type Step = Omit<AuthStep, 'server' | 'at'>

/** What was learned on the way about who signs people in. */
export interface Learned {
  issuer?: string | undefined
  scopes?: readonly string[] | undefined
  expiresAt?: number | undefined
}

const maxBody = 64 * 1024
const mask = createMask()

/** A `fetch` that tells each request of a sign-in with its answer, secrets masked. */
export function recordSignIn(
  inner: typeof fetch,
  onStep: (step: Step) => void,
  learned: Learned,
): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input))
    const method = init?.method ?? 'GET'
    const body = bodyOf(init?.body)
    const { to, title } = nameStep(url, method, body)
    const request = {
      method,
      url: url.href,
      ...(body && { body: masked(body) }),
    }
    try {
      const response = await inner(input, init)
      const answer = await readAnswer(response)
      learn(answer, to, learned)
      onStep({
        from: 'client',
        to,
        title,
        request,
        response: { status: response.status, ...(answer && { body: masked(answer) }) },
        ...(!response.ok && { failed: true }),
      })
      return response
    } catch (error) {
      const why = errorMessage(error)
      onStep({ from: 'client', to, title, request, response: { error: why }, failed: true })
      throw error
    }
  }
}

function nameStep(url: URL, method: string, body: Body | undefined): Pick<Step, 'to' | 'title'> {
  if (url.pathname.includes('/.well-known/oauth-protected-resource')) {
    return { to: 'server', title: 'Who signs in for this server?' }
  }
  if (url.pathname.includes('/.well-known/'))
    return { to: 'issuer', title: 'What can the issuer do?' }
  if (method === 'POST' && body && 'grant_type' in body) {
    const isRefresh = body['grant_type'] === 'refresh_token'
    return {
      to: 'issuer',
      title: isRefresh ? 'Refresh the token' : 'Exchange the code for a token',
    }
  }
  if (method === 'POST' && body && 'token_type_hint' in body) {
    const isRefresh = body['token_type_hint'] === 'refresh_token'
    return { to: 'issuer', title: `Revoke the ${isRefresh ? 'refresh' : 'access'} token` }
  }
  if (method === 'POST' && body && 'redirect_uris' in body) {
    return { to: 'issuer', title: 'Register this client' }
  }
  if (method === 'POST' && body && 'jsonrpc' in body) {
    return { to: 'server', title: 'What does the server answer without a token?' }
  }
  return { to: 'issuer', title: `${method} ${url.pathname}` }
}

type Body = { readonly [name: string]: unknown }

function bodyOf(body: unknown): Body | undefined {
  if (body instanceof URLSearchParams) return Object.fromEntries(body)
  if (typeof body !== 'string') return undefined
  return parseObject(body) ?? Object.fromEntries(new URLSearchParams(body))
}

/** A copy is read: the caller gets its answer whole. */
async function readAnswer(response: Response): Promise<Body | undefined> {
  const length = Number(response.headers.get('content-length') ?? 0)
  if (length > maxBody) return undefined
  const text = await response
    .clone()
    .text()
    .catch(() => '')
  return text.length > maxBody ? undefined : parseObject(text)
}

function parseObject(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Body) : undefined // an object just now
  } catch {
    return undefined
  }
}

/** Codes are as good as tokens for a moment. */
function masked(body: Body): Body {
  const { code, ...rest } = body
  const shown = mask(rest as Parameters<typeof mask>[0]) as Body // an object stays one
  return code === undefined ? shown : { ...shown, code: '••••••' }
}

function learn(answer: Body | undefined, to: Step['to'], learned: Learned): void {
  if (answer === undefined) return
  const { issuer, scope, expires_in, access_token } = answer
  if (to === 'issuer' && typeof issuer === 'string') learned.issuer = issuer
  if (access_token === undefined) return
  if (typeof scope === 'string') learned.scopes = scope.split(' ').filter((word) => word !== '')
  if (typeof expires_in === 'number') learned.expiresAt = Date.now() + expires_in * 1000
}

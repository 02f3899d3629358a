/**
 * Receives every request of the authorization server: serves the pages, and passes the rest to `oidc-provider` in the form it needs.
 * Redirects after a form are made by a page, since browsers apply the form's policy to redirects.
 */

import { BodyTooLong, readBounded } from '@parley/mcp/internal'
import type { Provider } from 'oidc-provider'

import { parseUrl } from '../../shared/url-rules.ts'
import type { SignInCaller } from '../caller.ts'
import { createRegistrationRoute, jsonError } from '../clients/registration.ts'
import { backPage, clientPage } from '../pages/continue.ts'
import type { Html } from '../pages/html.ts'
import { pageHeaders, renderPage } from '../pages/page.ts'
import { rejectionResponse } from '../pages/refusal.ts'
import type { Settings } from '../settings.ts'
import { createAuthorizationRoute } from '../sign-in/authorization.ts'
import type { PageRequest } from '../sign-in/sign-in-context.ts'
import { createSignInLimits } from '../sign-in/sign-in-limits.ts'
import { finishSignIn } from '../sign-in/sign-in.ts'
import type { SignInProviders } from '../third-party/third-parties.ts'
import type { KeySet } from '../tokens/keys.ts'
import { prepareTokenQuestion, prepareTokenRequest } from '../tokens/token-forms.ts'
import {
  completeMetadata,
  isMetadataPath,
  providerMetadataPath,
  routes,
  signInPath,
  providerCallbackPath,
} from './metadata.ts'
import { createNodeBridge, type BridgedRequest, type NodeResponse } from './node-bridge.ts'

/**
 * Leads from our pages to where the client is. Not by a redirect: browsers hold all that follows a form to the form's rules,
 * the client's own redirects too, and we do not know where these lead. An application on the device is the end of the way.
 */
function redirectToClient(response: Response, { issuerUrl, name }: Settings): Response {
  const target = parseUrl(response.headers.get('location') ?? '')
  const isWeb = target?.protocol === 'https:' || target?.protocol === 'http:'
  if (target === undefined || !isWeb || target.origin === issuerUrl.origin) return response
  const headers = new Headers(response.headers) // cookies, and the address for who is no browser
  return onward(`Back to ${target.host} – ${name}`, clientPage(target), target, headers)
}

/** Leads somebody who comes from a third party to their sign-in: its page may have rules about where its form leads. */
function redirectToSignIn(target: URL, { name }: Settings): Response {
  return onward(`Signing in – ${name}`, backPage(target), target)
}

function onward(title: string, content: Html, target: URL, headers = new Headers()): Response {
  for (const [header, value] of Object.entries(pageHeaders())) headers.set(header, value)
  headers.set('refresh', `0; url=${target.href}`)
  return new Response(renderPage(title, content), { headers })
}

/** A provider and the keys it was made with. */
export interface Running {
  readonly provider: Provider
  readonly answer: NodeResponse
  /** Waits until issued tokens can be asked about. */
  readonly resolve: () => Promise<void>
  readonly keys: KeySet
  readonly signInProviders: SignInProviders
}

const maxBodyBytes = 64 * 1024
const callbackPattern = new RegExp(`^${providerCallbackPath}/([\\w-]{1,100})$`)
const signInPattern = new RegExp(`^${signInPath}/([\\w-]{1,100})$`)

/** Takes every request first: answers what the provider does not, and hands it the rest in the form it needs. */
export function createRequestHandler(settings: Settings) {
  const { issuer, issuerUrl, basePath } = settings
  const bridge = createNodeBridge(issuerUrl, basePath)
  const authorize = createAuthorizationRoute(settings)
  const register = createRegistrationRoute(settings)
  const limits = createSignInLimits(settings.now)

  return async (request: Request, running: Running, caller: SignInCaller): Promise<Response> => {
    const url = new URL(request.url)
    if (isMetadataPath(url.pathname, settings)) return serveMetadata(request, running)
    const isBelow = basePath === '' || url.pathname.startsWith(`${basePath}/`)
    if (!isBelow) return jsonError(404, 'not_found', `not found; the issuer is ${issuer}`)
    const body = await readBody(request)
    if (body === 'too long') return jsonError(413, 'invalid_request', 'the body is too long')
    const { method, headers } = request
    const path = url.pathname.slice(basePath.length)
    const bridged = { method, headers: new Headers(headers), target: path + url.search, body }
    const [, uid] = signInPattern.exec(path) ?? []
    if (uid !== undefined)
      return servePage({ uid, query: url.searchParams }, bridged, running, caller)
    return answerRoute(path, url, bridged, running, caller)
  }

  async function serveMetadata(request: Request, running: Running): Promise<Response> {
    const { method, headers } = request
    const response = await ask(
      { method, headers, target: providerMetadataPath, body: undefined },
      running,
    )
    if (method !== 'GET' || response.status !== 200) return response
    const answer = Response.json(completeMetadata(await response.json(), settings), {
      headers: response.headers,
    })
    answer.headers.set('cache-control', 'public, max-age=300')
    answer.headers.set('access-control-allow-origin', '*')
    return answer
  }

  function servePage(
    at: Pick<PageRequest, 'uid' | 'query'>,
    bridged: BridgedRequest,
    { provider, keys, signInProviders }: Running,
    { address }: SignInCaller,
  ): Promise<Response> {
    const { method, headers } = bridged
    const form = new URLSearchParams(new TextDecoder().decode(bridged.body))
    const context = { provider, settings, secret: keys.secret, limits, signInProviders }
    return bridge(bridged, (request, response) => {
      return finishSignIn({ ...at, method, headers, form, address }, { request, response }, context)
    })
  }

  async function answerRoute(
    path: string,
    url: URL,
    bridged: BridgedRequest,
    running: Running,
    caller: SignInCaller,
  ): Promise<Response> {
    const [, provider] = callbackPattern.exec(path) ?? []
    if (provider !== undefined) return leadBack(url, provider, running)
    switch (path) {
      case routes.authorization:
        return authorize(bridged, (request) => ask(request, running), caller)
      case routes.token:
        return bridged.method === 'POST' ? answerToken(bridged, running) : ask(bridged, running)
      case routes.introspection:
      case routes.revocation:
        return ask(await prepareTokenQuestion(bridged, running.keys, settings), running)
      case routes.registration:
        return register(bridged, (request) => ask(request, running), caller)
      default:
        // Requests after the pages, and for keys.
        return redirectToClient(await ask(bridged, running), settings)
    }
  }

  /** To the page of the sign-in it belongs to: only there the browser shows whose it is. */
  async function leadBack(
    { searchParams: query }: URL,
    provider: string,
    { signInProviders }: Running,
  ): Promise<Response> {
    const uid = await signInProviders.find(query.get('state') ?? '', provider)
    if (uid === undefined) {
      return rejectionResponse(
        400,
        settings.name,
        'This sign-in has ended, or was started elsewhere.',
      )
    }
    const target = new URL(`${basePath}${signInPath}/${uid}?${query.toString()}`, issuerUrl)
    return redirectToSignIn(target, settings)
  }

  async function answerToken(bridged: BridgedRequest, running: Running): Promise<Response> {
    const response = await ask(prepareTokenRequest(bridged, settings), running)
    await running.resolve()
    return response
  }

  function ask(bridged: BridgedRequest, { answer }: Running): Promise<Response> {
    return bridge(bridged, answer)
  }
}

async function readBody(request: Request): Promise<Uint8Array | undefined | 'too long'> {
  if (request.body === null) return undefined
  try {
    return await readBounded(new Response(request.body), maxBodyBytes)
  } catch (error) {
    if (error instanceof BodyTooLong) return 'too long'
    throw error
  }
}

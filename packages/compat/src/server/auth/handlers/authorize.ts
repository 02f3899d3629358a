import express, { type Request, type RequestHandler, type Response } from 'express'

import { lazy } from '../../../schemas/lazy.ts'
import type { OAuthClientInformationFull } from '../../../shared/auth.ts'
import { parseUrl } from '../../../shared/parse-url.ts'
import { respondWithError } from '../answer-error.ts'
import { InvalidClientError, InvalidRequestError, OAuthError, ServerError } from '../errors.ts'
import { allowedMethods } from '../middleware/allowedMethods.ts'
import type { OAuthServerProvider } from '../provider.ts'
import { type RateLimitOptions, rateLimiter } from '../rate-limit.ts'

export type AuthorizationHandlerOptions = {
  provider: OAuthServerProvider
  /** `false` counts nothing. */
  rateLimit?: Partial<RateLimitOptions> | false
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Says whether a redirect is the registered one. On this machine the port may differ (RFC 8252). */
export function redirectUriMatches(requested: string, registered: string): boolean {
  if (requested === registered) return true
  const [first, second] = [parseUrl(requested), parseUrl(registered)]
  if (!first || !second || !loopback.has(first.hostname)) return false
  return (
    first.protocol === second.protocol &&
    first.hostname === second.hostname &&
    first.pathname === second.pathname &&
    first.search === second.search
  )
}

const ClientSchema = lazy((z) =>
  z.object({
    client_id: z.string(),
    redirect_uri: z
      .string()
      .optional()
      .refine((value) => value === undefined || parseUrl(value) !== undefined, {
        message: 'redirect_uri must be a valid URL',
      }),
  }),
)
const AuthorizationSchema = lazy((z) =>
  z.object({
    response_type: z.literal('code'),
    code_challenge: z.string(),
    code_challenge_method: z.literal('S256'),
    scope: z.string().optional(),
    state: z.string().optional(),
    resource: z.string().url().optional(),
  }),
)

/** Returns the handler of the authorization endpoint. */
export function authorizationHandler({
  provider,
  rateLimit,
}: AuthorizationHandlerOptions): RequestHandler {
  /** Until client and redirect are known to be right, errors are shown here, not sent there. */
  async function findClient(
    params: unknown,
  ): Promise<{ client: OAuthClientInformationFull; redirectUri: string }> {
    const parsed = ClientSchema.safeParse(params)
    if (!parsed.success) throw new InvalidRequestError(parsed.error.message)
    const { client_id, redirect_uri } = parsed.data
    const client = await provider.clientsStore.getClient(client_id)
    if (!client) throw new InvalidClientError('Invalid client_id')
    if (redirect_uri !== undefined) {
      if (!client.redirect_uris.some((candidate) => redirectUriMatches(redirect_uri, candidate))) {
        throw new InvalidRequestError('Unregistered redirect_uri')
      }
      return { client, redirectUri: redirect_uri }
    }
    const [only] = client.redirect_uris
    if (client.redirect_uris.length !== 1 || only === undefined) {
      throw new InvalidRequestError(
        'redirect_uri must be specified when client has multiple registered URIs',
      )
    }
    return { client, redirectUri: only }
  }

  async function authorize(request: Request, response: Response): Promise<void> {
    const params: unknown = request.method === 'POST' ? request.body : request.query
    let found
    try {
      found = await findClient(params)
    } catch (error) {
      respondWithError(response, error)
      return
    }
    const { client, redirectUri } = found
    let state: string | undefined
    try {
      const parsed = AuthorizationSchema.safeParse(params)
      state = (params as { state?: string }).state
      if (!parsed.success) throw new InvalidRequestError(parsed.error.message)
      const { scope, code_challenge, resource } = parsed.data
      await provider.authorize(
        client,
        {
          state,
          scopes: scope === undefined ? [] : scope.split(' '),
          redirectUri,
          codeChallenge: code_challenge,
          resource: resource ? new URL(resource) : undefined,
        },
        response,
      )
    } catch (error) {
      const oauthError =
        error instanceof OAuthError ? error : new ServerError('Internal Server Error')
      response.redirect(302, errorRedirect(redirectUri, oauthError, state))
    }
  }

  const router = express.Router()
  router.use(allowedMethods(['GET', 'POST']), express.urlencoded({ extended: false }))
  const limits = rateLimiter(
    rateLimit,
    { windowMs: 15 * 60 * 1_000, max: 100 },
    'You have exceeded the rate limit for authorization requests',
  )
  router.all('/', ...limits, (request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    void authorize(request, response)
  })
  return router
}

function errorRedirect(redirectUri: string, error: OAuthError, state: string | undefined): string {
  const url = new URL(redirectUri)
  url.searchParams.set('error', error.errorCode)
  url.searchParams.set('error_description', error.message)
  if (error.errorUri) url.searchParams.set('error_uri', error.errorUri)
  if (state) url.searchParams.set('state', state)
  return url.href
}

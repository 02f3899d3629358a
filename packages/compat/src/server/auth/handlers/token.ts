import { createHash } from 'node:crypto'

import express, { type Request, type RequestHandler } from 'express'

import { lazy } from '../../../schemas/lazy.ts'
import type { OAuthTokens } from '../../../shared/auth.ts'
import { respondWithError } from '../answer-error.ts'
import {
  InvalidGrantError,
  InvalidRequestError,
  ServerError,
  UnsupportedGrantTypeError,
} from '../errors.ts'
import { allowedMethods } from '../middleware/allowedMethods.ts'
import { authenticateClient } from '../middleware/clientAuth.ts'
import type { OAuthServerProvider } from '../provider.ts'
import { type RateLimitOptions, anyOrigin, rateLimiter } from '../rate-limit.ts'

export type TokenHandlerOptions = {
  provider: OAuthServerProvider
  /** `false` counts nothing. */
  rateLimit?: Partial<RateLimitOptions> | false
}

const GrantSchema = lazy((z) => z.object({ grant_type: z.string() }))
const CodeSchema = lazy((z) =>
  z.object({
    code: z.string(),
    code_verifier: z.string(),
    redirect_uri: z.string().optional(),
    resource: z.string().url().optional(),
  }),
)
const RefreshSchema = lazy((z) =>
  z.object({
    refresh_token: z.string(),
    scope: z.string().optional(),
    resource: z.string().url().optional(),
  }),
)

/** Returns the handler of the token endpoint. */
export function tokenHandler({ provider, rateLimit }: TokenHandlerOptions): RequestHandler {
  async function grant({ body, client }: Request): Promise<OAuthTokens> {
    const { grant_type } = parse(GrantSchema, body)
    if (!client) throw new ServerError('Internal Server Error')
    if (grant_type === 'authorization_code') {
      const { code, code_verifier, redirect_uri, resource } = parse(CodeSchema, body)
      const isLocal = !provider.skipLocalPkceValidation
      if (isLocal) {
        const challenge = await provider.challengeForAuthorizationCode(client, code)
        if (createHash('sha256').update(code_verifier).digest('base64url') !== challenge) {
          throw new InvalidGrantError('code_verifier does not match the challenge')
        }
      }
      return provider.exchangeAuthorizationCode(
        client,
        code,
        isLocal ? undefined : code_verifier,
        redirect_uri,
        resource ? new URL(resource) : undefined,
      )
    }
    if (grant_type === 'refresh_token') {
      const { refresh_token, scope, resource } = parse(RefreshSchema, body)
      return provider.exchangeRefreshToken(
        client,
        refresh_token,
        scope?.split(' '),
        resource ? new URL(resource) : undefined,
      )
    }
    throw new UnsupportedGrantTypeError(
      'The grant type is not supported by this authorization server.',
    )
  }

  const router = express.Router()
  router.use(anyOrigin, allowedMethods(['POST']), express.urlencoded({ extended: false }))
  router.use(
    ...rateLimiter(
      rateLimit,
      { windowMs: 15 * 60 * 1_000, max: 50 },
      'You have exceeded the rate limit for token requests',
    ),
    authenticateClient({ clientsStore: provider.clientsStore }),
  )
  router.post('/', (request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    grant(request).then(
      (tokens) => response.status(200).json(tokens),
      (error: unknown) => respondWithError(response, error),
    )
  })
  return router
}

interface Parser<T> {
  safeParse(
    value: unknown,
  ): { success: true; data: T } | { success: false; error: { message: string } }
}

function parse<T>(schema: Parser<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new InvalidRequestError(parsed.error.message)
}

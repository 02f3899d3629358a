import express, { type Request, type RequestHandler } from 'express'

import { OAuthTokenRevocationRequestSchema } from '../../../shared/auth.ts'
import { respondWithError } from '../answer-error.ts'
import { InvalidRequestError, ServerError } from '../errors.ts'
import { allowedMethods } from '../middleware/allowedMethods.ts'
import { authenticateClient } from '../middleware/clientAuth.ts'
import type { OAuthServerProvider } from '../provider.ts'
import { type RateLimitOptions, anyOrigin, rateLimiter } from '../rate-limit.ts'

export type RevocationHandlerOptions = {
  provider: OAuthServerProvider
  /** `false` counts nothing. */
  rateLimit?: Partial<RateLimitOptions> | false
}

/** Returns the handler of the revocation endpoint (RFC 7009). */
export function revocationHandler({
  provider,
  rateLimit,
}: RevocationHandlerOptions): RequestHandler {
  if (!provider.revokeToken) throw new Error('Auth provider does not support revoking tokens')

  async function revoke({ body, client }: Request): Promise<void> {
    const parsed = OAuthTokenRevocationRequestSchema.safeParse(body)
    if (!parsed.success) throw new InvalidRequestError(parsed.error.message)
    if (!client) throw new ServerError('Internal Server Error')
    await provider.revokeToken?.(client, parsed.data)
  }

  const router = express.Router()
  router.use(anyOrigin, allowedMethods(['POST']), express.urlencoded({ extended: false }))
  router.use(
    ...rateLimiter(
      rateLimit,
      { windowMs: 15 * 60 * 1_000, max: 50 },
      'You have exceeded the rate limit for token revocation requests',
    ),
    authenticateClient({ clientsStore: provider.clientsStore }),
  )
  router.post('/', (request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    revoke(request).then(
      () => response.status(200).json({}),
      (error: unknown) => respondWithError(response, error),
    )
  })
  return router
}

import { randomBytes, randomUUID } from 'node:crypto'

import express, { type Request, type RequestHandler } from 'express'

import { OAuthClientMetadataSchema, type OAuthClientInformationFull } from '../../../shared/auth.ts'
import { respondWithError } from '../answer-error.ts'
import type { OAuthRegisteredClientsStore } from '../clients.ts'
import { InvalidClientMetadataError } from '../errors.ts'
import { allowedMethods } from '../middleware/allowedMethods.ts'
import { type RateLimitOptions, anyOrigin, rateLimiter } from '../rate-limit.ts'

export type ClientRegistrationHandlerOptions = {
  clientsStore: OAuthRegisteredClientsStore
  /**
   * Seconds that secrets are valid; 0 for ever.
   * @defaultValue 30 days
   */
  clientSecretExpirySeconds?: number
  /** `false` counts nothing. */
  rateLimit?: Partial<RateLimitOptions> | false
  /**
   * Makes the client's id here, not in the store.
   * @defaultValue true
   */
  clientIdGeneration?: boolean
}

/** Returns the handler of the registration endpoint (RFC 7591). */
export function clientRegistrationHandler({
  clientsStore,
  clientSecretExpirySeconds = 30 * 24 * 60 * 60,
  rateLimit,
  clientIdGeneration = true,
}: ClientRegistrationHandlerOptions): RequestHandler {
  if (!clientsStore.registerClient) {
    throw new Error('Client registration store does not support registering clients')
  }

  async function register({ body }: Request): Promise<OAuthClientInformationFull> {
    const parsed = OAuthClientMetadataSchema.safeParse(body)
    if (!parsed.success) throw new InvalidClientMetadataError(parsed.error.message)
    const metadata = parsed.data
    const isPublic = metadata.token_endpoint_auth_method === 'none'
    const issuedAt = Math.floor(Date.now() / 1_000)
    const expiresAt = clientSecretExpirySeconds > 0 ? issuedAt + clientSecretExpirySeconds : 0
    const information = {
      ...metadata,
      client_secret: isPublic ? undefined : randomBytes(32).toString('hex'),
      client_secret_expires_at: isPublic ? undefined : expiresAt,
      ...(clientIdGeneration && { client_id: randomUUID(), client_id_issued_at: issuedAt }),
    }
    return clientsStore.registerClient?.(information) as Promise<OAuthClientInformationFull>
  }

  const router = express.Router()
  router.use(anyOrigin, allowedMethods(['POST']), express.json())
  router.use(
    ...rateLimiter(
      rateLimit,
      { windowMs: 60 * 60 * 1_000, max: 20 },
      'You have exceeded the rate limit for client registration requests',
    ),
    pass,
  )
  router.post('/', (request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    register(request).then(
      (client) => response.status(201).json(client),
      (error: unknown) => respondWithError(response, error),
    )
  })
  return router
}

const pass: RequestHandler = (_request, _response, next) => next()

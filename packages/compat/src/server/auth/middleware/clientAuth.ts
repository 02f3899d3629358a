import type { RequestHandler } from 'express'

import { lazy } from '../../../schemas/lazy.ts'
import type { OAuthClientInformationFull } from '../../../shared/auth.ts'
import { respondWithError } from '../answer-error.ts'
import type { OAuthRegisteredClientsStore } from '../clients.ts'
import { InvalidClientError, InvalidRequestError } from '../errors.ts'

export type ClientAuthenticationMiddlewareOptions = {
  clientsStore: OAuthRegisteredClientsStore
}

declare module 'express-serve-static-core' {
  interface Request {
    /** The client, after `authenticateClient`. */
    client?: OAuthClientInformationFull
  }
}

const CredentialsSchema = lazy((z) =>
  z.object({ client_id: z.string(), client_secret: z.string().optional() }),
)

/** Returns a middleware of Express that checks the client's id and secret in the body. */
export function authenticateClient({
  clientsStore,
}: ClientAuthenticationMiddlewareOptions): RequestHandler {
  async function find(body: unknown): Promise<OAuthClientInformationFull> {
    const parsed = CredentialsSchema.safeParse(body)
    if (!parsed.success) throw new InvalidRequestError(String(parsed.error))
    const { client_id, client_secret } = parsed.data
    const client = await clientsStore.getClient(client_id)
    if (!client) throw new InvalidClientError('Invalid client_id')
    if (!client.client_secret) return client
    if (!client_secret) throw new InvalidClientError('Client secret is required')
    if (client.client_secret !== client_secret)
      throw new InvalidClientError('Invalid client_secret')
    const expiry = client.client_secret_expires_at
    if (expiry && expiry < Math.floor(Date.now() / 1_000)) {
      throw new InvalidClientError('Client secret has expired')
    }
    return client
  }

  return async (request, response, next) => {
    try {
      request.client = await find(request.body)
    } catch (error) {
      respondWithError(response, error)
      return
    }
    next()
  }
}

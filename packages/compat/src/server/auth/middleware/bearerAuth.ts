import type { RequestHandler } from 'express'

import { InsufficientScopeError, InvalidTokenError, OAuthError, ServerError } from '../errors.ts'
import type { OAuthTokenVerifier } from '../provider.ts'
import type { AuthInfo } from '../types.ts'

export type BearerAuthMiddlewareOptions = {
  verifier: OAuthTokenVerifier
  /** The token must have all of these. */
  requiredScopes?: string[]
  /** Named in the challenge, so that clients find the authorization server. */
  resourceMetadataUrl?: string
  /** The token must be for this resource. */
  expectedResource?: URL
}

declare module 'express-serve-static-core' {
  interface Request {
    /** The content of the access token, after `requireBearerAuth`. */
    auth?: AuthInfo
  }
}

/** Returns a middleware of Express that lets only requests with a valid access token through. */
export function requireBearerAuth({
  verifier,
  requiredScopes = [],
  resourceMetadataUrl,
  expectedResource,
}: BearerAuthMiddlewareOptions): RequestHandler {
  const challenge = ({ errorCode, message }: OAuthError): string => {
    const fields = [`error="${errorCode}"`, `error_description="${message}"`]
    if (requiredScopes.length > 0) fields.push(`scope="${requiredScopes.join(' ')}"`)
    if (resourceMetadataUrl) fields.push(`resource_metadata="${resourceMetadataUrl}"`)
    return `Bearer ${fields.join(', ')}`
  }

  async function check(header: string | undefined): Promise<AuthInfo> {
    if (!header) throw new InvalidTokenError('Missing Authorization header')
    const [type, token] = header.split(' ')
    if (type?.toLowerCase() !== 'bearer' || !token) {
      throw new InvalidTokenError("Invalid Authorization header format, expected 'Bearer TOKEN'")
    }
    const info = await verifier.verifyAccessToken(token)
    if (!requiredScopes.every((scope) => info.scopes.includes(scope))) {
      throw new InsufficientScopeError('Insufficient scope')
    }
    if (typeof info.expiresAt !== 'number' || Number.isNaN(info.expiresAt)) {
      throw new InvalidTokenError('Token has no expiration time')
    }
    if (info.expiresAt < Date.now() / 1_000) throw new InvalidTokenError('Token has expired')
    if (expectedResource !== undefined && !isFor(info.resource, expectedResource)) {
      throw new InvalidTokenError('Token was not issued for this resource')
    }
    return info
  }

  return async (request, response, next) => {
    try {
      request.auth = await check(request.headers.authorization)
    } catch (error) {
      if (error instanceof InvalidTokenError || error instanceof InsufficientScopeError) {
        response
          .set('WWW-Authenticate', challenge(error))
          .status(error instanceof InvalidTokenError ? 401 : 403)
          .json(error.toResponseObject())
      } else if (error instanceof OAuthError) {
        response.status(error instanceof ServerError ? 500 : 400).json(error.toResponseObject())
      } else {
        response.status(500).json(new ServerError('Internal Server Error').toResponseObject())
      }
      return
    }
    next()
  }
}

/** Compares whole addresses, without fragments and with or without a slash at the end. */
function isFor(resource: URL | undefined, expected: URL): boolean {
  const comparable = (url: URL) => String(url).replace(/#.*$/s, '').replace(/\/$/, '')
  return resource !== undefined && comparable(resource) === comparable(expected)
}

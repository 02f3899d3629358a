import type { Response } from 'express'

import { OAuthError, ServerError } from './errors.ts'

/** Answers with an error of OAuth; anything else is an internal error. */
export function respondWithError(response: Response, error: unknown): void {
  const oauthError = error instanceof OAuthError ? error : new ServerError('Internal Server Error')
  response.status(oauthError instanceof ServerError ? 500 : 400).json(oauthError.toResponseObject())
}

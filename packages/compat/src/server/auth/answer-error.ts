import type { Response } from 'express'

import { OAuthError, ServerError } from './errors.ts'

/** Answers with an error of OAuth; anything else is an internal error. */
export function answerError(response: Response, error: unknown): void {
  const known = error instanceof OAuthError ? error : new ServerError('Internal Server Error')
  response.status(known instanceof ServerError ? 500 : 400).json(known.toResponseObject())
}

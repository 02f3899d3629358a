import type { RequestHandler } from 'express'

import { MethodNotAllowedError } from '../errors.ts'

/** Returns a middleware of Express that refuses other methods with 405. */
export function allowedMethods(allowed: string[]): RequestHandler {
  return (request, response, next) => {
    if (allowed.includes(request.method)) {
      next()
      return
    }
    const error = new MethodNotAllowedError(
      `The method ${request.method} is not allowed for this endpoint`,
    )
    response.status(405).set('Allow', allowed.join(', ')).json(error.toResponseObject())
  }
}

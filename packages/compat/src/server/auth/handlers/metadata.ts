import express, { type RequestHandler } from 'express'

import type { OAuthMetadata, OAuthProtectedResourceMetadata } from '../../../shared/auth.ts'
import { allowedMethods } from '../middleware/allowedMethods.ts'
import { anyOrigin } from '../rate-limit.ts'

/** Returns a handler that answers with a metadata document. */
export function metadataHandler(
  metadata: OAuthMetadata | OAuthProtectedResourceMetadata,
): RequestHandler {
  const router = express.Router()
  router.use(anyOrigin, allowedMethods(['GET', 'OPTIONS']))
  router.get('/', (_request, response) => {
    response.status(200).json(metadata)
  })
  return router
}

import { BoundedMap } from '@parley/mcp/internal'
import type { RequestHandler } from 'express'

import { TooManyRequestsError } from './errors.ts'

/** How often one address may ask. */
export interface RateLimitOptions {
  /** Milliseconds. */
  windowMs: number
  /** The most requests in a window. */
  max: number
  /** The same. */
  limit: number
}

/** Addresses that are counted at once; the oldest goes first. */
const maxAddresses = 10_000

/** Returns middleware that counts by address. An option of `false` counts nothing. */
export function rateLimiter(
  options: Partial<RateLimitOptions> | false | undefined,
  defaults: { readonly windowMs: number; readonly max: number },
  message: string,
): RequestHandler[] {
  if (options === false) return []
  const { windowMs, max } = { ...defaults, ...options }
  const limit = options?.limit ?? max
  const windows = new BoundedMap<string, { count: number; end: number }>(maxAddresses)
  return [
    (request, response, next) => {
      const address = request.ip ?? ''
      const now = Date.now()
      let window = windows.get(address)
      if (!window || window.end <= now) {
        window = { count: 0, end: now + windowMs }
        windows.set(address, window)
      }
      window.count++
      const seconds = Math.ceil((window.end - now) / 1_000)
      response.set('RateLimit-Policy', `${limit};w=${Math.ceil(windowMs / 1_000)}`)
      response.set('RateLimit-Limit', String(limit))
      response.set('RateLimit-Remaining', String(Math.max(0, limit - window.count)))
      response.set('RateLimit-Reset', String(seconds))
      if (window.count <= limit) {
        next()
        return
      }
      response.set('Retry-After', String(seconds))
      response.status(429).json(new TooManyRequestsError(message).toResponseObject())
    },
  ]
}

/** Lets pages of all origins ask: what is answered has no cookies. */
export const anyOrigin: RequestHandler = (request, response, next) => {
  response.set('Access-Control-Allow-Origin', '*')
  if (request.method !== 'OPTIONS') {
    next()
    return
  }
  response.set('Access-Control-Allow-Methods', 'GET,HEAD,PUT,PATCH,POST,DELETE')
  const headers = request.headers['access-control-request-headers']
  if (headers) response.set('Access-Control-Allow-Headers', headers)
  response.status(204).end()
}

/**
 * `@modelcontextprotocol/sdk/client/middleware.js`: functions around `fetch`, for the HTTP client transports.
 *
 * `withOAuth` signs in and `withLogging` logs; programs write their own with `createMiddleware`. How to sign in is in `auth.ts`.
 */

import { errorMessage } from '@parley/mcp/json'

import type { FetchLike } from '../shared/transport.ts'
import {
  type OAuthClientProvider,
  UnauthorizedError,
  auth,
  extractWWWAuthenticateParams,
} from './auth.ts'

/** Changes how requests are made. */
export type Middleware = (next: FetchLike) => FetchLike

/** Signs in when the server asks for it, and repeats the request once. */
export const withOAuth =
  (provider: OAuthClientProvider, baseUrl?: string | URL): Middleware =>
  (next) =>
  async (input, init) => {
    const request = async (): Promise<Response> => {
      const headers = new Headers(init?.headers)
      const tokens = await provider.tokens()
      if (tokens) headers.set('Authorization', `Bearer ${tokens.access_token}`)
      return next(input, { ...init, headers })
    }
    const response = await request()
    if (response.status !== 401) return response
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
    const serverUrl = baseUrl ?? new URL(input).origin
    let result
    try {
      result = await auth(provider, { serverUrl, resourceMetadataUrl, scope, fetchFn: next })
    } catch (error) {
      if (error instanceof UnauthorizedError) throw error
      throw new UnauthorizedError(`Failed to re-authenticate: ${errorMessage(error)}`)
    }
    if (result === 'REDIRECT') {
      throw new UnauthorizedError('Authentication requires user authorization - redirect initiated')
    }
    const repeated = await request()
    if (repeated.status === 401) {
      throw new UnauthorizedError(`Authentication failed for ${String(input)}`)
    }
    return repeated
  }

export type RequestLogger = (input: {
  method: string
  url: string | URL
  status: number
  statusText: string
  /** Milliseconds. */
  duration: number
  requestHeaders?: Headers
  responseHeaders?: Headers
  error?: Error
}) => void

export type LoggingOptions = {
  /** @defaultValue writes to the console */
  logger?: RequestLogger
  /** @defaultValue false */
  includeRequestHeaders?: boolean
  /** @defaultValue false */
  includeResponseHeaders?: boolean
  /**
   * The lowest status that is logged.
   * @defaultValue 0
   */
  statusLevel?: number
}

const headersText = (name: string, headers: Headers | undefined): string => {
  if (!headers) return ''
  const pairs = [...headers.entries()].map(([key, value]) => `${key}: ${value}`)
  return `\n  ${name} Headers: {${pairs.join(', ')}}`
}

const logToConsole: RequestLogger = ({
  method,
  url,
  status,
  statusText,
  duration,
  requestHeaders,
  responseHeaders,
  error,
}) => {
  const outcome = error
    ? `HTTP ${method} ${String(url)} failed: ${error.message} (${duration}ms)`
    : `HTTP ${method} ${String(url)} ${status} ${statusText} (${duration}ms)`
  const message =
    outcome + headersText('Request', requestHeaders) + headersText('Response', responseHeaders)
  if (error || status >= 400) console.error(message)
  else console.log(message)
}

/** Logs requests. */
export const withLogging = (options: LoggingOptions = {}): Middleware => {
  const {
    logger = logToConsole,
    includeRequestHeaders = false,
    includeResponseHeaders = false,
    statusLevel = 0,
  } = options
  return (next) => async (input, init) => {
    const start = performance.now()
    const method = init?.method ?? 'GET'
    const url = typeof input === 'string' ? input : input.toString()
    const requestHeaders = includeRequestHeaders ? new Headers(init?.headers) : undefined
    try {
      const response = await next(input, init)
      if (response.status >= statusLevel) {
        logger({
          method,
          url,
          status: response.status,
          statusText: response.statusText,
          duration: performance.now() - start,
          requestHeaders,
          responseHeaders: includeResponseHeaders ? response.headers : undefined,
        })
      }
      return response
    } catch (error) {
      logger({
        method,
        url,
        status: 0,
        statusText: 'Network Error',
        duration: performance.now() - start,
        requestHeaders,
        error: error as Error,
      })
      throw error
    }
  }
}

/** Puts middleware together; the last one is outermost. */
export const applyMiddlewares =
  (...middleware: Middleware[]): Middleware =>
  (next) =>
    middleware.reduce((handler, one) => one(handler), next)

/** Makes a middleware of a function. */
export const createMiddleware =
  (
    handler: (next: FetchLike, input: string | URL, init?: RequestInit) => Promise<Response>,
  ): Middleware =>
  (next) =>
  (input, init) =>
    handler(next, input, init)

/**
 * `@modelcontextprotocol/sdk/client/sse.js`: the transport of 2024-11-05 from the client's side. An event stream, whose first event names
 * where to POST messages.
 */

import { errorMessage } from '@parley/mcp/json'
import { createParser } from 'eventsource-parser'

import { JSONRPCMessageSchema } from '../schemas/base.ts'
import { parseWithCompat } from '../server/zod-json-schema-compat.ts'
import { mediaTypeEssence } from '../shared/mediaType.ts'
import {
  type FetchLike,
  type Transport,
  createFetchWithInit,
  fetchLeavingRedirects,
  fetchWithinOrigin,
  normalizeHeaders,
  unfollowedRedirect,
} from '../shared/transport.ts'
import type { JSONRPCMessage } from '../types.ts'
import {
  type AuthResult,
  type OAuthClientProvider,
  UnauthorizedError,
  auth,
  extractWWWAuthenticateParams,
} from './auth.ts'

/** The `error` event of a stream; `code` is the status of the response, if there was one. */
export interface SseErrorEvent {
  readonly type: string
  readonly code?: number | undefined
  readonly message?: string | undefined
}

/** Options of the event stream. */
export interface EventSourceInit {
  withCredentials?: boolean
  /** Makes the request of the stream. */
  fetch?: FetchLike
}

/** The stream could not be opened, or broke. */
export class SseError extends Error {
  readonly code: number | undefined
  readonly event: SseErrorEvent

  constructor(code: number | undefined, message: string | undefined, event: SseErrorEvent) {
    super(`SSE error: ${message}`)
    this.code = code
    this.event = event
  }
}

export type SSEClientTransportOptions = {
  /** Signs in when the server asks for it. */
  authProvider?: OAuthClientProvider
  eventSourceInit?: EventSourceInit
  /** Options of every request. */
  requestInit?: RequestInit
  fetch?: FetchLike
  /**
   * Follows redirects within the origin of the server only, or leaves them to `fetch`.
   * @defaultValue 'same-origin'
   */
  redirectPolicy?: 'same-origin' | 'follow'
}

const retryMs = 3_000

/**
 * Messages over HTTP with SSE.
 *
 * @deprecated Use `StreamableHTTPClientTransport`, and this for servers that have nothing else.
 */
export class SSEClientTransport implements Transport {
  private _endpoint?: URL
  private _abortController?: AbortController
  private _url: URL
  private _resourceMetadataUrl?: URL
  private _scope?: string
  private _eventSourceInit?: EventSourceInit
  private _requestInit?: RequestInit
  private _authProvider?: OAuthClientProvider
  private _fetch: FetchLike
  private _followsRedirects: boolean
  private _fetchWithInit: FetchLike
  private _protocolVersion?: string
  private _retryMs = retryMs
  private _timer?: ReturnType<typeof setTimeout>

  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void

  constructor(url: URL, opts?: SSEClientTransportOptions) {
    this._url = url
    this._eventSourceInit = opts?.eventSourceInit
    this._requestInit = opts?.requestInit
    this._authProvider = opts?.authProvider
    const base: FetchLike = opts?.fetch ?? ((address, init) => fetch(address, init))
    this._followsRedirects = opts?.redirectPolicy === 'follow'
    const withInit = createFetchWithInit(base, opts?.requestInit)
    this._fetch = this._followsRedirects ? fetchLeavingRedirects(base) : fetchWithinOrigin(base)
    this._fetchWithInit = this._followsRedirects ? fetchLeavingRedirects(withInit) : withInit
  }

  private unfollowed(response: Response, url: string | URL): string | undefined {
    const text = unfollowedRedirect(response, url)
    return text && !this._followsRedirects ? `${text} (redirectPolicy: 'same-origin')` : text
  }

  private async signIn(authorizationCode?: string): Promise<AuthResult> {
    if (!this._authProvider) throw new UnauthorizedError('No auth provider')
    return auth(this._authProvider, {
      serverUrl: this._url,
      authorizationCode,
      resourceMetadataUrl: this._resourceMetadataUrl,
      scope: this._scope,
      fetchFn: this._fetchWithInit,
    })
  }

  private async _authThenStart(): Promise<void> {
    let result: AuthResult
    try {
      result = await this.signIn()
    } catch (error) {
      this.onerror?.(error as Error)
      throw error
    }
    if (result !== 'AUTHORIZED') throw new UnauthorizedError()
    await this._startOrAuth()
  }

  private async _commonHeaders(): Promise<Headers> {
    const headers: Record<string, string> = {}
    const tokens = await this._authProvider?.tokens()
    if (tokens) headers['Authorization'] = `Bearer ${tokens.access_token}`
    if (this._protocolVersion) headers['mcp-protocol-version'] = this._protocolVersion
    return new Headers({ ...headers, ...normalizeHeaders(this._requestInit?.headers) })
  }

  /** Resolves with the endpoint; the stream goes on. */
  private _startOrAuth(): Promise<void> {
    return new Promise((resolve, reject) => {
      this._abortController = new AbortController()
      void this.readStream(resolve, reject)
    })
  }

  private async readStream(resolve: () => void, reject: (error: unknown) => void): Promise<void> {
    const { signal } = this._abortController as AbortController
    const fail = (code: number | undefined, message: string): void => {
      if (signal.aborted) return
      const error = new SseError(code, message, { type: 'error', code, message })
      reject(error)
      this.onerror?.(error)
    }
    let response: Response
    try {
      response = await this.openStream(signal)
    } catch (error) {
      fail(undefined, errorMessage(error))
      return
    }
    if (response.status === 401 && this._authProvider) {
      await response.body?.cancel()
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
      this._resourceMetadataUrl = resourceMetadataUrl
      this._scope = scope
      this._authThenStart().then(resolve, reject)
      return
    }
    if (!response.ok) {
      const redirect = this.unfollowed(response, this._url)
      await response.body?.cancel()
      fail(response.status, redirect ?? `Non-200 status code (${response.status})`)
      return
    }
    if (mediaTypeEssence(response.headers.get('content-type')) !== 'text/event-stream') {
      await response.body?.cancel()
      fail(response.status, 'Invalid content type, expected "text/event-stream"')
      return
    }
    try {
      await this.readEvents(response, resolve, reject)
      if (signal.aborted) return
      // A stream that ended is opened again, as event sources do.
      fail(undefined, 'The stream ended')
    } catch (error) {
      fail(undefined, errorMessage(error))
    }
    if (signal.aborted) return
    this._timer = setTimeout(() => void this.readStream(resolve, reject), this._retryMs)
    ;(this._timer as { unref?: () => void }).unref?.()
  }

  private async openStream(signal: AbortSignal): Promise<Response> {
    const headers = await this._commonHeaders()
    headers.set('Accept', 'text/event-stream')
    const open = this._eventSourceInit?.fetch ?? this._fetch
    return open(this._url, {
      ...(this._eventSourceInit?.fetch ? {} : this._requestInit),
      headers,
      signal,
    })
  }

  private async readEvents(
    response: Response,
    resolve: () => void,
    reject: (error: unknown) => void,
  ): Promise<void> {
    const parser = createParser({
      onRetry: (milliseconds) => {
        this._retryMs = milliseconds
      },
      onEvent: ({ event, data }) => {
        if (event === 'endpoint') {
          try {
            this.setEndpoint(data)
            resolve()
          } catch (error) {
            reject(error)
            this.onerror?.(error as Error)
            void this.close()
          }
          return
        }
        if (event !== undefined && event !== 'message') return
        let message: JSONRPCMessage
        try {
          message = parseWithCompat(JSONRPCMessageSchema, JSON.parse(data)) as JSONRPCMessage
        } catch (error) {
          this.onerror?.(error as Error)
          return
        }
        this.onmessage?.(message)
      },
    })
    const decoder = new TextDecoder()
    const reader = response.body?.getReader()
    while (reader) {
      const { value, done } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
    }
  }

  /** Messages with credentials go to the server itself only. */
  private setEndpoint(address: string): void {
    const endpoint = new URL(address, this._url)
    if (endpoint.origin !== this._url.origin) {
      throw new Error(`Endpoint origin does not match connection origin: ${endpoint.origin}`)
    }
    this._endpoint = endpoint
  }

  async start(): Promise<void> {
    if (this._abortController) {
      throw new Error(
        'SSEClientTransport already started! If using Client class, note that connect() calls start() automatically.',
      )
    }
    return this._startOrAuth()
  }

  /** Goes on with the code that the user came back with. */
  async finishAuth(authorizationCode: string): Promise<void> {
    const result = await this.signIn(authorizationCode)
    if (result !== 'AUTHORIZED') throw new UnauthorizedError('Failed to authorize')
  }

  async close(): Promise<void> {
    clearTimeout(this._timer)
    this._abortController?.abort()
    this.onclose?.()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this._endpoint) throw new Error('Not connected')
    try {
      const headers = await this._commonHeaders()
      headers.set('content-type', 'application/json')
      const response = await this._fetch(this._endpoint, {
        ...this._requestInit,
        method: 'POST',
        headers,
        body: JSON.stringify(message),
        signal: this._abortController?.signal,
      })
      if (response.ok) {
        await response.body?.cancel()
        return
      }
      const redirect = this.unfollowed(response, this._endpoint)
      const text = redirect ?? (await response.text().catch(() => null))
      if (response.status === 401 && this._authProvider) {
        const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
        this._resourceMetadataUrl = resourceMetadataUrl
        this._scope = scope
        if ((await this.signIn()) !== 'AUTHORIZED') throw new UnauthorizedError()
        return await this.send(message)
      }
      throw new Error(`Error POSTing to endpoint (HTTP ${response.status}): ${text}`)
    } catch (error) {
      this.onerror?.(error as Error)
      throw error
    }
  }

  setProtocolVersion(version: string): void {
    this._protocolVersion = version
  }
}

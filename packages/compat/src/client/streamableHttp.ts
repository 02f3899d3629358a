/**
 * `@modelcontextprotocol/sdk/client/streamableHttp.js`: Streamable HTTP from the client's side.
 *
 * One POST for each message; what comes back is JSON or an event stream. A stream that breaks is resumed where the server has given its
 * events ids. Signing in is left to `auth.ts`.
 */

import { errorMessage } from '@parley/mcp/json'
import { createParser } from 'eventsource-parser'

import {
  isInitializedNotification,
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
} from '../guards.ts'
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

const defaultReconnection: StreamableHTTPReconnectionOptions = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 2,
}

/** The server answered with a status or a body that it should not. */
export class StreamableHTTPError extends Error {
  readonly code: number | undefined

  constructor(code: number | undefined, message: string | undefined) {
    super(`Streamable HTTP error: ${message}`)
    this.code = code
  }
}

export interface StartSSEOptions {
  /** Continues after this event. */
  resumptionToken?: string
  onresumptiontoken?: (token: string) => void
  /** The id that the response to a resumed request gets. */
  replayMessageId?: string | number
}

export interface StreamableHTTPReconnectionOptions {
  /** Milliseconds. */
  maxReconnectionDelay: number
  /** Milliseconds. */
  initialReconnectionDelay: number
  reconnectionDelayGrowFactor: number
  maxRetries: number
}

export type StreamableHTTPClientTransportOptions = {
  /** Signs in when the server asks for it. */
  authProvider?: OAuthClientProvider
  /** Options of every request. */
  requestInit?: RequestInit
  fetch?: FetchLike
  /**
   * Follows redirects within the origin of the server only, or leaves them to `fetch`.
   * @defaultValue 'same-origin'
   */
  redirectPolicy?: 'same-origin' | 'follow'
  reconnectionOptions?: StreamableHTTPReconnectionOptions
  /** Goes on with a session. */
  sessionId?: string
}

/** Messages over Streamable HTTP. */
export class StreamableHTTPClientTransport implements Transport {
  private _abortController?: AbortController
  private _url: URL
  private _resourceMetadataUrl?: URL
  private _scope?: string
  private _requestInit?: RequestInit
  private _authProvider?: OAuthClientProvider
  private _fetch: FetchLike
  private _followsRedirects: boolean
  private _fetchWithInit: FetchLike
  private _sessionId?: string
  private _reconnectionOptions: StreamableHTTPReconnectionOptions
  private _protocolVersion?: string
  private _hasCompletedAuthFlow = false
  private _lastUpscopingHeader?: string
  private _serverRetryMs?: number
  private _reconnectionTimeout?: ReturnType<typeof setTimeout>

  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void

  constructor(url: URL, opts?: StreamableHTTPClientTransportOptions) {
    this._url = url
    this._requestInit = opts?.requestInit
    this._authProvider = opts?.authProvider
    // Looked up with each request: programs replace the global one.
    const base: FetchLike = opts?.fetch ?? ((address, init) => fetch(address, init))
    this._followsRedirects = opts?.redirectPolicy === 'follow'
    const withInit = createFetchWithInit(base, opts?.requestInit)
    this._fetch = this._followsRedirects ? fetchLeavingRedirects(base) : fetchWithinOrigin(base)
    this._fetchWithInit = this._followsRedirects ? fetchLeavingRedirects(withInit) : withInit
    this._sessionId = opts?.sessionId
    this._reconnectionOptions = opts?.reconnectionOptions ?? defaultReconnection
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
    await this._startOrAuthSse({ resumptionToken: undefined })
  }

  private async _commonHeaders(): Promise<Headers> {
    const headers: Record<string, string> = {}
    const tokens = await this._authProvider?.tokens()
    if (tokens) headers['Authorization'] = `Bearer ${tokens.access_token}`
    if (this._sessionId) headers['mcp-session-id'] = this._sessionId
    if (this._protocolVersion) headers['mcp-protocol-version'] = this._protocolVersion
    return new Headers({ ...headers, ...normalizeHeaders(this._requestInit?.headers) })
  }

  private readChallenge(response: Response): { error?: string } {
    const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response)
    if (resourceMetadataUrl) this._resourceMetadataUrl = resourceMetadataUrl
    if (scope) this._scope = scope
    return { error }
  }

  private async _startOrAuthSse(options: StartSSEOptions): Promise<void> {
    try {
      const headers = await this._commonHeaders()
      headers.set('Accept', 'text/event-stream')
      if (options.resumptionToken) headers.set('last-event-id', options.resumptionToken)
      const response = await this._fetch(this._url, {
        ...this._requestInit,
        method: 'GET',
        headers,
        signal: this._abortController?.signal,
      })
      if (!response.ok) {
        await response.body?.cancel()
        if (response.status === 401 && this._authProvider) {
          this.readChallenge(response)
          await this._authThenStart()
          return
        }
        // The server has no such stream, and need not.
        if (response.status === 405) return
        throw new StreamableHTTPError(
          response.status,
          `Failed to open SSE stream: ${this.unfollowed(response, this._url) ?? response.statusText}`,
        )
      }
      this._handleSseStream(response.body, options, true)
    } catch (error) {
      this.onerror?.(error as Error)
      throw error
    }
  }

  private _getNextReconnectionDelay(attempt: number): number {
    if (this._serverRetryMs !== undefined) return this._serverRetryMs
    const { initialReconnectionDelay, reconnectionDelayGrowFactor, maxReconnectionDelay } =
      this._reconnectionOptions
    return Math.min(
      initialReconnectionDelay * reconnectionDelayGrowFactor ** attempt,
      maxReconnectionDelay,
    )
  }

  private _scheduleReconnection(options: StartSSEOptions, attemptCount = 0): void {
    const { maxRetries } = this._reconnectionOptions
    if (attemptCount >= maxRetries) {
      this.onerror?.(new Error(`Maximum reconnection attempts (${maxRetries}) exceeded.`))
      return
    }
    this._reconnectionTimeout = setTimeout(() => {
      this._startOrAuthSse(options).catch((error) => {
        const text = errorMessage(error)
        this.onerror?.(new Error(`Failed to reconnect SSE stream: ${text}`))
        this._scheduleReconnection(options, attemptCount + 1)
      })
    }, this._getNextReconnectionDelay(attemptCount))
  }

  private _handleSseStream(
    stream: ReadableStream<Uint8Array> | null,
    options: StartSSEOptions,
    isReconnectable: boolean,
  ): void {
    if (!stream) return
    const { onresumptiontoken, replayMessageId } = options
    let lastEventId: string | undefined
    let hasResponse = false
    const parser = createParser({
      onRetry: (milliseconds) => {
        this._serverRetryMs = milliseconds
      },
      onEvent: ({ id, event, data }) => {
        if (id) {
          lastEventId = id
          onresumptiontoken?.(id)
        }
        // An event without data only tells the id.
        if (!data || (event && event !== 'message')) return
        try {
          let message = parseMessage(JSON.parse(data))
          if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
            hasResponse = true
            if (replayMessageId !== undefined) message = { ...message, id: replayMessageId }
          }
          this.onmessage?.(message)
        } catch (error) {
          this.onerror?.(error as Error)
        }
      },
    })
    const resume = (): void => {
      const canResume = isReconnectable || lastEventId !== undefined
      const isOver = !this._abortController || this._abortController.signal.aborted
      if (!canResume || hasResponse || isOver) return
      this._scheduleReconnection({
        resumptionToken: lastEventId,
        onresumptiontoken,
        replayMessageId,
      })
    }
    void (async () => {
      try {
        const decoder = new TextDecoder()
        const reader = stream.getReader()
        while (true) {
          const { value, done } = await reader.read()
          if (done) break
          parser.feed(decoder.decode(value, { stream: true }))
        }
      } catch (error) {
        this.onerror?.(new Error(`SSE stream disconnected: ${String(error)}`))
      }
      try {
        resume()
      } catch (error) {
        const text = errorMessage(error)
        this.onerror?.(new Error(`Failed to reconnect: ${text}`))
      }
    })()
  }

  async start(): Promise<void> {
    if (this._abortController) {
      throw new Error(
        'StreamableHTTPClientTransport already started! If using Client class, note that connect() calls start() automatically.',
      )
    }
    this._abortController = new AbortController()
  }

  /** Goes on with the code that the user came back with. */
  async finishAuth(authorizationCode: string): Promise<void> {
    const result = await this.signIn(authorizationCode)
    if (result !== 'AUTHORIZED') throw new UnauthorizedError('Failed to authorize')
  }

  async close(): Promise<void> {
    clearTimeout(this._reconnectionTimeout)
    this._reconnectionTimeout = undefined
    this._abortController?.abort()
    this.onclose?.()
  }

  async send(
    message: JSONRPCMessage | JSONRPCMessage[],
    options?: { resumptionToken?: string; onresumptiontoken?: (token: string) => void },
  ): Promise<void> {
    try {
      await this.post(message, options)
    } catch (error) {
      this.onerror?.(error as Error)
      throw error
    }
  }

  private async post(
    message: JSONRPCMessage | JSONRPCMessage[],
    options?: { resumptionToken?: string; onresumptiontoken?: (token: string) => void },
  ): Promise<void> {
    const { resumptionToken, onresumptiontoken } = options ?? {}
    const messages = [message].flat()
    if (resumptionToken) {
      const [first] = messages
      const replayMessageId = first && 'method' in first && 'id' in first ? first.id : undefined
      this._startOrAuthSse({ resumptionToken, replayMessageId }).catch((error) =>
        this.onerror?.(error as Error),
      )
      return
    }

    const headers = await this._commonHeaders()
    headers.set('content-type', 'application/json')
    headers.set('accept', 'application/json, text/event-stream')
    const response = await this._fetch(this._url, {
      ...this._requestInit,
      method: 'POST',
      headers,
      body: JSON.stringify(message),
      signal: this._abortController?.signal,
    })
    const sessionId = response.headers.get('mcp-session-id')
    if (sessionId) this._sessionId = sessionId

    if (!response.ok) {
      await this.handleRejection(response, message)
      return
    }
    this._hasCompletedAuthFlow = false
    this._lastUpscopingHeader = undefined

    if (response.status === 202) {
      await response.body?.cancel()
      if (messages.some(isInitializedNotification)) {
        // The stream for what the server says by itself.
        this._startOrAuthSse({ resumptionToken: undefined }).catch((error) =>
          this.onerror?.(error as Error),
        )
      }
      return
    }
    const hasRequests = messages.some(
      (candidate) => 'method' in candidate && 'id' in candidate && candidate.id !== undefined,
    )
    if (!hasRequests) {
      await response.body?.cancel()
      return
    }
    const contentType = response.headers.get('content-type')
    const type = mediaTypeEssence(contentType)
    if (type === 'text/event-stream') {
      this._handleSseStream(response.body, { onresumptiontoken }, false)
    } else if (type === 'application/json') {
      const body: unknown = await response.json()
      const answers = Array.isArray(body) ? body : [body]
      for (const answer of answers.map(parseMessage)) this.onmessage?.(answer)
    } else {
      await response.body?.cancel()
      throw new StreamableHTTPError(-1, `Unexpected content type: ${contentType}`)
    }
  }

  /** Signs in if that is what the server asks for, and sends the message again. */
  private async handleRejection(
    response: Response,
    message: JSONRPCMessage | JSONRPCMessage[],
  ): Promise<void> {
    const redirect = this.unfollowed(response, this._url)
    const text = redirect ?? (await response.text().catch(() => null))
    if (response.status === 401 && this._authProvider) {
      if (this._hasCompletedAuthFlow) {
        throw new StreamableHTTPError(401, 'Server returned 401 after successful authentication')
      }
      this.readChallenge(response)
      if ((await this.signIn()) !== 'AUTHORIZED') throw new UnauthorizedError()
      this._hasCompletedAuthFlow = true
      return this.post(message)
    }
    if (response.status === 403 && this._authProvider) {
      const { error } = this.readChallenge(response)
      if (error === 'insufficient_scope') {
        const header = response.headers.get('WWW-Authenticate') ?? undefined
        if (this._lastUpscopingHeader === header) {
          throw new StreamableHTTPError(403, 'Server returned 403 after trying upscoping')
        }
        this._lastUpscopingHeader = header
        if ((await this.signIn()) !== 'AUTHORIZED') throw new UnauthorizedError()
        return this.post(message)
      }
    }
    throw new StreamableHTTPError(response.status, `Error POSTing to endpoint: ${text}`)
  }

  get sessionId(): string | undefined {
    return this._sessionId
  }

  /** Ends the session. A server may refuse with 405, which is no error. */
  async terminateSession(): Promise<void> {
    if (!this._sessionId) return
    try {
      const response = await this._fetch(this._url, {
        ...this._requestInit,
        method: 'DELETE',
        headers: await this._commonHeaders(),
        signal: this._abortController?.signal,
      })
      await response.body?.cancel()
      if (!response.ok && response.status !== 405) {
        throw new StreamableHTTPError(
          response.status,
          `Failed to terminate session: ${this.unfollowed(response, this._url) ?? response.statusText}`,
        )
      }
      this._sessionId = undefined
    } catch (error) {
      this.onerror?.(error as Error)
      throw error
    }
  }

  setProtocolVersion(version: string): void {
    this._protocolVersion = version
  }

  get protocolVersion(): string | undefined {
    return this._protocolVersion
  }

  /** Goes on after an event. */
  async resumeStream(
    lastEventId: string,
    options?: { onresumptiontoken?: (token: string) => void },
  ): Promise<void> {
    await this._startOrAuthSse({
      resumptionToken: lastEventId,
      onresumptiontoken: options?.onresumptiontoken,
    })
  }
}

function parseMessage(value: unknown): JSONRPCMessage {
  return parseWithCompat(JSONRPCMessageSchema, value) as JSONRPCMessage
}

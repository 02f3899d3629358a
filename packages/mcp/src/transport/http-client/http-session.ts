import type { HttpHeaders } from './request/http-request.ts'

/** The session id and the revision from the response to `initialize`. Every later request sends them. */
export interface HttpSession {
  /** Where the session is; redirects of `initialize` have been followed. */
  readonly url: URL
  readonly id: string | undefined
  readonly headers: HttpHeaders
  /** Adopts the session id of the response to `initialize`. Ignores one with characters that headers forbid. */
  adopt(id: string | undefined, url: URL): void
  /** The version it agreed to. */
  negotiate(version: string | undefined): void
  /** The server no longer knows the session. */
  forget(): void
}

export function createHttpSession(start: URL): HttpSession {
  let url = start
  let id: string | undefined
  let version: string | undefined
  let headers: HttpHeaders = {}

  /** Made when they change: every request has the same. */
  function describe(): void {
    headers = {
      ...(id !== undefined && { 'mcp-session-id': id }),
      ...(version !== undefined && { 'mcp-protocol-version': version }),
    }
  }

  return {
    get url() {
      return url
    },
    get id() {
      return id
    },
    get headers() {
      return headers
    },
    adopt(sessionId, answeredBy) {
      url = answeredBy
      id = sessionId !== undefined && /^[\x21-\x7e]+$/.test(sessionId) ? sessionId : undefined
      describe()
    },
    negotiate(negotiated) {
      version = negotiated
      describe()
    },
    forget() {
      id = undefined
      describe()
    },
  }
}

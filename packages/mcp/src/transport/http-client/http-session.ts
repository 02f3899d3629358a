import type { HttpHeaders } from './http-request.ts'

/** What the answer to `initialize` told us, and every later request tells the server. */
export interface HttpSession {
  /** Where the session is; redirects of `initialize` have been followed. */
  readonly url: URL
  id: string | undefined
  version: string | undefined
  readonly headers: HttpHeaders
  /** Takes what came with the answer to `initialize`; an id that no header may carry is none. */
  adopt(id: string | undefined, url: URL): void
}

export function createHttpSession(start: URL): HttpSession {
  let url = start
  return {
    id: undefined,
    version: undefined,
    get url() {
      return url
    },
    get headers() {
      return {
        ...(this.id !== undefined && { 'mcp-session-id': this.id }),
        ...(this.version !== undefined && { 'mcp-protocol-version': this.version }),
      }
    },
    adopt(id, answeredBy) {
      url = answeredBy
      this.id = id !== undefined && /^[\x21-\x7e]+$/.test(id) ? id : undefined
    },
  }
}

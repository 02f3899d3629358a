import type { ElicitRequestURLParams } from './types.ts'

/** The codes of errors that go over the wire. */
export enum ErrorCode {
  ConnectionClosed = -32000,
  RequestTimeout = -32001,
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  UrlElicitationRequired = -32042,
}

/** An error that is answered with its code, message and data, or that was received so. */
export class McpError extends Error {
  readonly code: number
  readonly data?: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(`MCP error ${code}: ${message}`)
    this.code = code
    this.data = data
    this.name = 'McpError'
  }

  /** Makes the class that belongs to the code of a received error. */
  static fromError(code: number, message: string, data?: unknown): McpError {
    if (code === ErrorCode.UrlElicitationRequired && data) {
      const { elicitations } = data as { elicitations?: unknown }
      if (elicitations) {
        return new UrlElicitationRequiredError(elicitations as ElicitRequestURLParams[], message)
      }
    }
    return new McpError(code, message, data)
  }
}

/** The request needs something that the user does at a URL first. */
export class UrlElicitationRequiredError extends McpError {
  constructor(
    elicitations: ElicitRequestURLParams[],
    message = `URL elicitation${elicitations.length > 1 ? 's' : ''} required`,
  ) {
    super(ErrorCode.UrlElicitationRequired, message, { elicitations })
  }

  get elicitations(): ElicitRequestURLParams[] {
    return (
      (this.data as { elicitations?: ElicitRequestURLParams[] } | undefined)?.elicitations ?? []
    )
  }
}

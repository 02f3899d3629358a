/** One thing that is wrong with a request. */
export interface ProblemDetail {
  readonly message: string
  /** Such as `query.limit` or `body.name`. */
  readonly location?: string | undefined
  readonly value?: unknown
}

/** A refusal; becomes a problem document (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly details: readonly ProblemDetail[]
  readonly headers: { readonly [name: string]: string }

  constructor(
    status: number,
    message: string,
    options: {
      readonly details?: readonly ProblemDetail[] | undefined
      readonly headers?: { readonly [name: string]: string } | undefined
    } = {},
  ) {
    super(message)
    this.status = status
    this.details = options.details ?? []
    this.headers = options.headers ?? {}
  }
}

const titles: { readonly [status: number]: string } = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
}

/** The answer; `error` repeats the detail for clients of the generic API. */
export function problemResponse({ status, message, details, headers }: Problem): Response {
  const body = {
    title: titles[status] ?? 'Error',
    status,
    detail: message,
    ...(details.length > 0 && { errors: details }),
    error: message,
  }
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...headers,
    },
  })
}

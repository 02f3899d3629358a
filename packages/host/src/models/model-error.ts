/** Why a model gave no answer. */
export type ModelErrorCode =
  /** No connection, a cut stream, a server error, too many requests after all tries. */
  | 'unreachable'
  /** A missing or refused key. */
  | 'unauthorized'
  /** The request was refused: unknown model, too long, unsupported content. */
  | 'refused'

/** The error of a request to a model, with what to do about it. */
export class ModelError extends Error {
  /** Always `ModelError`. */
  override readonly name = 'ModelError'
  /** The kind of error, from a closed set. */
  readonly code: ModelErrorCode
  /** The HTTP status of the provider; undefined if there was no answer. */
  readonly status: number | undefined

  /** For models of your own. */
  constructor(
    code: ModelErrorCode,
    message: string,
    options: { readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.status = options.status
  }
}

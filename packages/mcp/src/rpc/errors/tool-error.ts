import type { ContentBlock } from '../../schema/content.ts'

/** For the model: becomes `isError: true` with this text. The only error whose message a caller sees as is. */
export class ToolError extends Error {
  /** Always `ToolError`. */
  override readonly name = 'ToolError'
  /** The content for the model: the message as text, unless other content was passed. */
  readonly content: readonly ContentBlock[]
  /** A value for programs, beside the text; absent if none was given. */
  readonly structuredContent?: unknown

  /** `content` replaces the message as what the model reads. */
  constructor(
    message: string,
    options: {
      readonly content?: readonly ContentBlock[] | undefined
      readonly structuredContent?: unknown
      readonly cause?: unknown
    } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.content = options.content ?? [{ type: 'text', text: message }]
    if (options.structuredContent !== undefined) this.structuredContent = options.structuredContent
  }
}

/** True across copies of this package. */
export function isToolError(error: unknown): error is ToolError {
  return (
    error instanceof ToolError ||
    (error instanceof Error && error.name === 'ToolError' && 'content' in error)
  )
}

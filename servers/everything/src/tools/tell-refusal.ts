import { isRpcError, ToolError } from '@parley/mcp'

/** What a client answers a question with instead of an answer is for the model to read. */
export function reportRejection(error: unknown): never {
  const isAnswer = isRpcError(error) && error.code !== 'missing_client_capability'
  throw isAnswer ? new ToolError(error.message, { cause: error }) : error
}

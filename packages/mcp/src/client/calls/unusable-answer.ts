import { McpError } from '../../rpc/errors/mcp-error.ts'

/** The server answered, but not with what the method has as its result. */
export function unusableAnswer(method: string, why: string, peer: string | undefined): McpError {
  return new McpError('invalid_message', `the answer to ${method} is not usable: ${why}`, {
    details: { excerpt: why },
    peer,
  })
}

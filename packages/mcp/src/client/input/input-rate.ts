import { McpError } from '../../rpc/errors/mcp-error.ts'

/** Beyond this a server is no longer asking, it is flooding. */
export const questionRate = { burst: 50, perSecond: 10 }

/** How a call ends whose server floods us with questions. */
export function tooManyQuestions(seen?: number, peer?: string): McpError<'limit_exceeded'> {
  const { burst: allowed, perSecond } = questionRate
  const why = `the server asks more than ${allowed} questions at once, or ${perSecond} a second`
  return new McpError('limit_exceeded', why, {
    details: { limit: 'questions', allowed, ...(seen !== undefined && { seen }) },
    peer,
  })
}

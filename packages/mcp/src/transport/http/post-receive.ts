import { McpError } from '../../rpc/errors/mcp-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Malformed, Message, Notification, Request } from '../../rpc/message.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import { cancelledParams, type CancelledNotificationParams } from '../../schema/cancellation.ts'
import { progressParams, type ProgressNotificationParams } from '../../schema/progress.ts'
import { decodeWireError } from '../../wire/error-codes.ts'
import { badRequest } from './admission/http-errors.ts'
import type { EndpointService } from './service.ts'
import type { HttpSession } from './sessions/http-session.ts'
import type { HttpSessions } from './sessions/http-sessions.ts'
import type { SessionFacts } from './sessions/session-records.ts'

/** Takes what is not answered: a notification, or a response to a question of ours. */
export function receive(
  { onError, sessions }: EndpointService,
  session: HttpSession | undefined,
  message: Exclude<Message, Request>,
): MaybePromise<unknown> {
  if (message.kind === 'notification') return onNotification(sessions, session, message)
  if (session === undefined)
    throw badRequest(400, 'a response, but without sessions nothing is asked')
  const { id } = message
  const isKnown =
    message.kind === 'result'
      ? session.pending.resolve(message.id, message.result)
      : id !== undefined && session.pending.reject(id, decodeWireError(message.error))
  if (isKnown) return undefined
  const why = `a response to nothing we wait for, id ${JSON.stringify(id)}`
  onError(new RpcError('invalid_request', why), { severity: 'warning' })
  return undefined
}

/** A promise where every process has to hear of it first. */
function onNotification(
  sessions: HttpSessions,
  session: HttpSession | undefined,
  { method, params }: Notification,
): MaybePromise<unknown> {
  if (session === undefined) return undefined // nothing it could be about is remembered
  if (method === 'notifications/initialized') {
    if (!session.isReady) return sessions.change(session, ready)
  } else if (method === 'notifications/cancelled' && cancelledParams(params) === undefined) {
    const { requestId, reason } = params as unknown as CancelledNotificationParams // just checked
    if (requestId !== undefined) session.calls.cancel(requestId, reason)
  } else if (method === 'notifications/progress' && progressParams(params) === undefined) {
    const { progressToken, ...progress } = params as unknown as ProgressNotificationParams // just checked
    session.pending.progress(progressToken, progress)
  }
  return undefined
}

function ready(facts: SessionFacts): SessionFacts {
  return { ...facts, isReady: true }
}

/** A response we cannot read: the call that asked must not wait for ever. */
export function receiveMalformed(
  session: HttpSession | undefined,
  { id, isAnswerable, error }: Malformed,
): void {
  if (session === undefined || isAnswerable || id === undefined) return
  const why = `the client answered with something that is no response: ${error.message}`
  const details = { excerpt: error.message }
  session.pending.reject(id, new McpError('invalid_message', why, { details }))
}

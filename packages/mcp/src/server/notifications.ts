import type { Caller } from './calls/caller.ts'
import type { ServerChange } from './definition.ts'

/**
 * Sends a notification of the server: progress, log messages, changes, ends of elicitations, states of tasks. One that
 * belongs to a call goes where the call's answer goes; one of the session can go out when all calls are over.
 */
export function sendNotification(
  caller: Pick<Caller, 'notify' | 'tell'>,
  method: string,
  params: object,
  belongsTo: 'call' | 'session' = 'call',
): void {
  if (belongsTo === 'session' && caller.tell) caller.tell(method, params)
  else caller.notify(method, params)
}

/** The notification that tells of a change. */
export function changeNotification(change: ServerChange): {
  readonly method: string
  readonly params: object
} {
  return change.type === 'resource'
    ? { method: 'notifications/resources/updated', params: { uri: change.uri } }
    : { method: `notifications/${change.type}/list_changed`, params: {} }
}

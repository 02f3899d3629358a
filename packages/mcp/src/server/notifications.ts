import type { ServerNotifications } from '../schema/methods/notifications.ts'
import type { Caller } from './calls/caller.ts'
import type { ServerChange } from './definition.ts'

/** A notification that a server may send. */
export type ServerNotification = keyof ServerNotifications

/**
 * Sends a notification to a caller: progress, log messages, changes, completed elicitations, states of tasks. One that
 * belongs to a call goes where the call's answer goes; one of the session can be sent after all calls.
 */
export function sendNotification(
  caller: Pick<Caller, 'notify'> & Partial<Pick<Caller, 'notifySession'>>,
  method: ServerNotification,
  params: object,
  belongsTo: 'call' | 'session' = 'call',
): void {
  const isSent = belongsTo === 'session' && caller.notifySession?.(method, params)
  if (!isSent) caller.notify(method, params)
}

/** The notification that tells of a change, to sessions (`Peer.changed`) and to listeners. */
export function changeNotification(change: ServerChange): {
  readonly method: ServerNotification
  readonly params?: { readonly uri: string }
} {
  return change.type === 'resource'
    ? { method: 'notifications/resources/updated', params: { uri: change.uri } }
    : { method: `notifications/${change.type}/list_changed` }
}

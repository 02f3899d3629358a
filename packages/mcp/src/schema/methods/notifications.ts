import type { ServerCapabilities } from '../capabilities.ts'
import type { ElicitationCompleteParams } from '../input/elicitation.ts'
import type { CancelledNotificationParams, EmptyNotificationParams } from '../lifecycle.ts'
import type { LoggingMessageNotificationParams } from '../logging.ts'
import type { ProgressNotificationParams } from '../progress.ts'
import type { ResourceUpdatedNotificationParams } from '../resources.ts'
import type { AcknowledgedParams } from '../subscriptions.ts'
import type { CoreTask, DetailedTask } from '../tasks.ts'
import type { ClientRequestRow } from './client-requests.ts'
import type { MethodRow } from './method-row.ts'

/** Notifications of a client. */
export interface ClientNotifications {
  /** The client is ready, after `initialize`. */
  'notifications/initialized': { params: EmptyNotificationParams }
  /** The client no longer needs the answer to a request. */
  'notifications/cancelled': { params: CancelledNotificationParams }
  /** How far a request of the server has come. */
  'notifications/progress': { params: ProgressNotificationParams }
  /** The folders that the client works in have changed. */
  'notifications/roots/list_changed': { params: EmptyNotificationParams }
  /** The state of a task that the client runs for the server; 2025-11-25 only. */
  'notifications/tasks/status': { params: CoreTask }
}

/** Notifications of a client. */
export const clientNotifications = {
  'notifications/initialized': { until: '2025-11-25' },
  'notifications/cancelled': {},
  'notifications/progress': { until: '2025-11-25' },
  'notifications/roots/list_changed': { until: '2025-11-25' },
  'notifications/tasks/status': { since: '2025-11-25', until: '2025-11-25' },
} as const satisfies { readonly [M in keyof ClientNotifications]: MethodRow }

/** Whether a method is a notification of a client. */
export function isClientNotification(method: string): method is keyof ClientNotifications {
  return Object.hasOwn(clientNotifications, method)
}

/** Notifications of a server. */
export interface ServerNotifications {
  /** The server no longer needs the answer to a request, or has ended a stream. */
  'notifications/cancelled': { params: CancelledNotificationParams }
  /** How far a request of the client has come. */
  'notifications/progress': { params: ProgressNotificationParams }
  /** A log message. */
  'notifications/message': { params: LoggingMessageNotificationParams }
  /** The list of tools has changed. */
  'notifications/tools/list_changed': { params: EmptyNotificationParams }
  /** The list of prompts has changed. */
  'notifications/prompts/list_changed': { params: EmptyNotificationParams }
  /** The list of resources has changed. */
  'notifications/resources/list_changed': { params: EmptyNotificationParams }
  /** A resource has new contents. */
  'notifications/resources/updated': { params: ResourceUpdatedNotificationParams }
  /** Which part of a `subscriptions/listen` the server accepted. */
  'notifications/subscriptions/acknowledged': { params: AcknowledgedParams }
  /** The user has finished at a link; 2025-11-25 only. */
  'notifications/elicitation/complete': { params: ElicitationCompleteParams }
  /** The state of a task; 2025-11-25 only. */
  'notifications/tasks/status': { params: CoreTask }
  /** The state of a task with its result or input requests, since 2026-07-28. */
  'notifications/tasks': { params: DetailedTask }
}

/** Properties of a server's notification. */
export interface ServerNotificationRow extends MethodRow {
  /** The capability that the server must have declared. */
  readonly capability?: keyof ServerCapabilities
  /** The change it announces; see `staleAfter`. */
  readonly announces?: NonNullable<ClientRequestRow['staleAfter']>
}

/** Notifications of a server. */
export const serverNotifications = {
  'notifications/cancelled': {},
  'notifications/progress': {},
  'notifications/message': { capability: 'logging' },
  'notifications/tools/list_changed': { capability: 'tools', announces: 'tools' },
  'notifications/prompts/list_changed': { capability: 'prompts', announces: 'prompts' },
  'notifications/resources/list_changed': { capability: 'resources', announces: 'resources' },
  'notifications/resources/updated': { capability: 'resources', announces: 'resource' },
  'notifications/subscriptions/acknowledged': { since: '2026-07-28' },
  'notifications/elicitation/complete': { since: '2025-11-25', until: '2025-11-25' },
  'notifications/tasks/status': { since: '2025-11-25', until: '2025-11-25' },
  'notifications/tasks': { since: '2026-07-28' },
} as const satisfies { readonly [M in keyof ServerNotifications]: ServerNotificationRow }

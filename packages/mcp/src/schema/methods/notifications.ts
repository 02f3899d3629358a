import type { CancelledNotificationParams } from '../cancellation.ts'
import type { ServerCapabilities } from '../capabilities.ts'
import type { ElicitationCompleteParams } from '../input/elicitation.ts'
import type { EmptyNotificationParams } from '../lifecycle.ts'
import type { LoggingMessageNotificationParams } from '../logging.ts'
import type { ProgressNotificationParams } from '../progress.ts'
import type { ResourceUpdatedNotificationParams } from '../resources.ts'
import type { AcknowledgedParams } from '../subscriptions.ts'
import type { CoreTask, DetailedTask } from '../tasks.ts'
import type { ClientRequestRow } from './client-requests.ts'
import type { MethodRow } from './method-row.ts'

/** Notifications of a client. */
export interface ClientNotifications {
  'notifications/initialized': { params: EmptyNotificationParams }
  'notifications/cancelled': { params: CancelledNotificationParams }
  'notifications/progress': { params: ProgressNotificationParams }
  'notifications/roots/list_changed': { params: EmptyNotificationParams }
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
  'notifications/cancelled': { params: CancelledNotificationParams }
  'notifications/progress': { params: ProgressNotificationParams }
  'notifications/message': { params: LoggingMessageNotificationParams }
  'notifications/tools/list_changed': { params: EmptyNotificationParams }
  'notifications/prompts/list_changed': { params: EmptyNotificationParams }
  'notifications/resources/list_changed': { params: EmptyNotificationParams }
  'notifications/resources/updated': { params: ResourceUpdatedNotificationParams }
  'notifications/subscriptions/acknowledged': { params: AcknowledgedParams }
  'notifications/elicitation/complete': { params: ElicitationCompleteParams }
  'notifications/tasks/status': { params: CoreTask }
  'notifications/tasks': { params: DetailedTask }
}

/** What is true of a server's notification. */
export interface ServerNotificationRow extends MethodRow {
  /** What the server must have declared. */
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

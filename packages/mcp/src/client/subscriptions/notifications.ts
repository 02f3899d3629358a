import type { Notification } from '../../rpc/message.ts'
import type { JsonObject } from '../../schema/json.ts'
import { loggingMessageParams, type LogMessage } from '../../schema/logging.ts'
import { resourceUpdatedParams } from '../../schema/resources.ts'
import type { ServerChange } from './changes.ts'

/** A change that a notification announces; undefined for any other. */
export function changeOf({ method, params }: Notification): ServerChange | undefined {
  switch (method) {
    case 'notifications/tools/list_changed':
      return { type: 'tools' }
    case 'notifications/prompts/list_changed':
      return { type: 'prompts' }
    case 'notifications/resources/list_changed':
      return { type: 'resources' }
    case 'notifications/resources/updated':
      return updated(params)
    default:
      return undefined
  }
}

function updated(params: JsonObject): ServerChange | undefined {
  if (resourceUpdatedParams(params) !== undefined) return undefined
  return { type: 'resource', uri: params['uri'] as string } // just checked
}

/** A log message that a notification carries; undefined for any other. */
export function logOf({ method, params }: Notification): LogMessage | undefined {
  if (method !== 'notifications/message' || loggingMessageParams(params) !== undefined) {
    return undefined
  }
  return params as unknown as LogMessage // just checked
}

import type { ClientSession } from '../../../client/connection/session.ts'
import { isJsonObject, type JsonObject } from '../../../schema/json.ts'
import type { Caller } from '../../../server/calls/caller.ts'
import { tasksExtension } from '../../../wire/downgrade-initialize.ts'
import { metaKeys } from '../../../wire/request-meta.ts'

/** True if the server runs tools as tasks, of the kind that its revision has. */
export function offersTasks({ codec, server }: ClientSession): boolean {
  const { tasks, extensions } = server.capabilities
  switch (codec.has.tasks) {
    case 'core':
      return tasks?.requests?.tools?.call !== undefined
    case 'extension':
      return extensions?.[tasksExtension] !== undefined
    case 'none':
      return false
  }
}

/** True if client and server both have tasks, but not of one kind: the proxy then keeps those of the client. */
export function hasOtherTasks(session: ClientSession, { codec }: Pick<Caller, 'codec'>): boolean {
  const { tasks } = codec.has
  return tasks !== 'none' && tasks !== session.codec.has.tasks && offersTasks(session)
}

/** True for the methods that are about tasks. */
export function isAboutTasks(operation: string): boolean {
  return operation.startsWith('tasks/')
}

/** The params of a request of 2026-07-28, as of a client that follows tasks. */
export function declaringTasks(params: JsonObject): JsonObject {
  const meta = objectAt(params, '_meta')
  const capabilities = objectAt(meta, metaKeys.capabilities)
  const extensions = { ...objectAt(capabilities, 'extensions'), [tasksExtension]: {} }
  return { ...params, _meta: { ...meta, [metaKeys.capabilities]: { ...capabilities, extensions } } }
}

function objectAt(value: JsonObject, key: string): JsonObject {
  const found = value[key]
  return isJsonObject(found) ? found : {}
}

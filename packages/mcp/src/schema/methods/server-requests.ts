import type { ClientCapabilities } from '../capabilities.ts'
import type { ElicitRequestParams, ElicitWireResult } from '../input/elicitation.ts'
import type { ListRootsResult } from '../input/input.ts'
import type { CreateMessageRequestParams, CreateMessageResult } from '../input/sampling.ts'
import type { EmptyRequestParams, EmptyResult } from '../lifecycle.ts'
import type { PageParams } from '../pagination.ts'
import type { CoreTask, ListTasksResult, TaskParams } from '../tasks.ts'
import type { MethodRow } from './method-row.ts'

/** Requests of a server. */
export interface ServerRequests {
  /** Asks whether the client is there. */
  ping: { params: EmptyRequestParams; result: EmptyResult }
  /** Asks the user. */
  'elicitation/create': { params: ElicitRequestParams; result: ElicitWireResult }
  /** Asks the client's model. */
  'sampling/createMessage': { params: CreateMessageRequestParams; result: CreateMessageResult }
  /** Asks which folders the client works in. */
  'roots/list': { params: EmptyRequestParams; result: ListRootsResult }
  /** The state of a task that the client runs. */
  'tasks/get': { params: TaskParams; result: CoreTask }
  /** The result of such a task; waits until there is one. */
  'tasks/result': { params: TaskParams; result: object }
  /** One page of such tasks. */
  'tasks/list': { params: PageParams; result: ListTasksResult }
  /** Ends such a task. */
  'tasks/cancel': { params: TaskParams; result: CoreTask }
}

/** Properties of a server's request. */
export interface ServerRequestRow extends MethodRow {
  /** The capability that the client must have declared. */
  readonly capability?: keyof ClientCapabilities
  /** Asks for input; where a server sends no requests it stands in an `input_required` result. */
  readonly isInput?: true
  /** Its result may be a task. */
  readonly mayBeTask?: true
}

/** Requests of a server. */
export const serverRequests = {
  ping: { until: '2025-11-25' },
  'elicitation/create': {
    capability: 'elicitation',
    since: '2025-06-18',
    isInput: true,
    mayBeTask: true,
  },
  'sampling/createMessage': { capability: 'sampling', isInput: true, mayBeTask: true },
  'roots/list': { capability: 'roots', isInput: true },
  'tasks/get': { capability: 'tasks', since: '2025-11-25', until: '2025-11-25' },
  'tasks/result': { capability: 'tasks', since: '2025-11-25', until: '2025-11-25' },
  'tasks/list': { capability: 'tasks', since: '2025-11-25', until: '2025-11-25' },
  'tasks/cancel': { capability: 'tasks', since: '2025-11-25', until: '2025-11-25' },
} as const satisfies { readonly [M in keyof ServerRequests]: ServerRequestRow }

/** A request that asks for input. */
export type InputMethod = {
  [M in keyof ServerRequests]: (typeof serverRequests)[M] extends { isInput: true } ? M : never
}[keyof ServerRequests]

/** The requests that ask for input. */
export function inputMethods(): readonly InputMethod[] {
  const all = Object.entries<ServerRequestRow>(serverRequests)
  return all.flatMap(([method, { isInput }]) => (isInput ? [method as InputMethod] : [])) // the row says so
}

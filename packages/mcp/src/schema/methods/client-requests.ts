/**
 * The table of requests that clients send: types of params and results, and what is true of each method everywhere.
 *
 * Rows say which revisions have a method, the capability that it needs, whether its result may be cached or ask for input, and
 * which session data it changes. Params are checked in `request-params.ts`; `server/calls/dispatch.ts` has the handlers. A method is
 * added here first.
 */
import type { ServerCapabilities } from '../capabilities.ts'
import type { CompleteRequestParams, CompleteResult } from '../completion.ts'
import type {
  DiscoverResult,
  EmptyRequestParams,
  EmptyResult,
  InitializeRequestParams,
  InitializeResult,
} from '../lifecycle.ts'
import type { SetLevelRequestParams } from '../logging.ts'
import type { PageParams } from '../pagination.ts'
import type { GetPromptRequestParams, GetPromptResult, ListPromptsResult } from '../prompts.ts'
import type {
  ListResourceTemplatesResult,
  ListResourcesResult,
  ReadResourceRequestParams,
  ReadResourceResult,
  SubscribeRequestParams,
  UnsubscribeRequestParams,
} from '../resources.ts'
import type { GetSkillResult, ListSkillsResult, SkillParams } from '../skills/skill.ts'
import type { ListenParams } from '../subscriptions.ts'
import type {
  CoreTask,
  DetailedTask,
  ListTasksResult,
  TaskParams,
  UpdateTaskParams,
} from '../tasks.ts'
import type { CallToolRequestParams, CallToolResult, ListToolsResult } from '../tools.ts'
import type { MethodRow } from './method-row.ts'

// One half of each table has the types of its messages, the other what is true of the method everywhere. The compiler
// keeps their keys the same.

/** Requests of a client that the protocol itself defines. */
export interface ClientRequests {
  /** Opens a session, in revisions before 2026-07-28. */
  initialize: { params: InitializeRequestParams; result: InitializeResult }
  /** Asks whether the server is there, in revisions before 2026-07-28. */
  ping: { params: EmptyRequestParams; result: EmptyResult }
  /** Asks what a server speaks and offers, since 2026-07-28. */
  'server/discover': { params: EmptyRequestParams; result: DiscoverResult }
  /** One page of the tools. */
  'tools/list': { params: PageParams; result: ListToolsResult }
  /** Runs a tool. */
  'tools/call': { params: CallToolRequestParams; result: CallToolResult }
  /** One page of the resources. */
  'resources/list': { params: PageParams; result: ListResourcesResult }
  /** One page of the URI templates. */
  'resources/templates/list': { params: PageParams; result: ListResourceTemplatesResult }
  /** Reads a resource. */
  'resources/read': { params: ReadResourceRequestParams; result: ReadResourceResult }
  /** Asks to be told when a resource changes, in revisions before 2026-07-28. */
  'resources/subscribe': { params: SubscribeRequestParams; result: EmptyResult }
  /** Ends such a subscription. */
  'resources/unsubscribe': { params: UnsubscribeRequestParams; result: EmptyResult }
  /** Opens a stream of changes, since 2026-07-28. */
  'subscriptions/listen': { params: ListenParams; result: EmptyResult }
  /** One page of the prompts. */
  'prompts/list': { params: PageParams; result: ListPromptsResult }
  /** Fills in a prompt. */
  'prompts/get': { params: GetPromptRequestParams; result: GetPromptResult }
  /** Asks for suggestions for an argument. */
  'completion/complete': { params: CompleteRequestParams; result: CompleteResult }
  /** Sets the least severe log level to send, in revisions before 2026-07-28. */
  'logging/setLevel': { params: SetLevelRequestParams; result: EmptyResult }
}

/** Params of a client's request. */
export type ParamsOf<M extends keyof ClientRequests> = ClientRequests[M]['params']

/** Properties of a client's request. */
export interface ClientRequestRow extends MethodRow {
  /** The capability that the server must have declared. */
  readonly capability?: keyof ServerCapabilities
  /** The connection answers it; features never see it. */
  readonly isLifecycle?: true
  /** Middleware can wrap it. */
  readonly isOperation?: true
  /** Its result says how long it may be kept. */
  readonly isCacheable?: true
  /** The change after which a client fetches a kept result again. Without one a client keeps nothing. */
  readonly staleAfter?: 'tools' | 'prompts' | 'resources' | 'resource'
  /** Its result may be `input_required`. */
  readonly mayNeedInput?: true
  /** Its result may be a task. */
  readonly mayBeTask?: true
  /** The member of its params that `Mcp-Name` repeats. */
  readonly namedBy?: 'name' | 'uri' | 'taskId'
  /** The session state that the request changes. */
  readonly changes?: 'logLevel' | 'subscriptions'
}

/** Requests of a client that the protocol itself defines. */
export const clientRequests = {
  initialize: { until: '2025-11-25', isLifecycle: true },
  ping: { until: '2025-11-25', isLifecycle: true },
  'server/discover': { since: '2026-07-28', isCacheable: true },
  'tools/list': {
    capability: 'tools',
    isOperation: true,
    isCacheable: true,
    staleAfter: 'tools',
  },
  'tools/call': {
    capability: 'tools',
    isOperation: true,
    mayNeedInput: true,
    mayBeTask: true,
    namedBy: 'name',
  },
  'resources/list': {
    capability: 'resources',
    isOperation: true,
    isCacheable: true,
    staleAfter: 'resources',
  },
  'resources/templates/list': {
    capability: 'resources',
    isOperation: true,
    isCacheable: true,
    staleAfter: 'resources',
  },
  'resources/read': {
    capability: 'resources',
    isOperation: true,
    isCacheable: true,
    staleAfter: 'resource',
    mayNeedInput: true,
    namedBy: 'uri',
  },
  'resources/subscribe': {
    capability: 'resources',
    until: '2025-11-25',
    changes: 'subscriptions',
  },
  'resources/unsubscribe': {
    capability: 'resources',
    until: '2025-11-25',
    changes: 'subscriptions',
  },
  'subscriptions/listen': { since: '2026-07-28' },
  'prompts/list': {
    capability: 'prompts',
    isOperation: true,
    isCacheable: true,
    staleAfter: 'prompts',
  },
  'prompts/get': {
    capability: 'prompts',
    isOperation: true,
    mayNeedInput: true,
    namedBy: 'name',
  },
  'completion/complete': { capability: 'completions', isOperation: true },
  'logging/setLevel': {
    capability: 'logging',
    until: '2025-11-25',
    changes: 'logLevel',
  },
} as const satisfies { readonly [M in keyof ClientRequests]: ClientRequestRow }

/** Requests of a client that one of our extensions answers. Tasks were part of the protocol in 2025-11-25. */
export interface ExtensionRequests {
  'tasks/get': { params: TaskParams; result: CoreTask | DetailedTask }
  'tasks/result': { params: TaskParams; result: object }
  'tasks/list': { params: PageParams; result: ListTasksResult }
  'tasks/cancel': { params: TaskParams; result: CoreTask | EmptyResult }
  'tasks/update': { params: UpdateTaskParams; result: EmptyResult }
  'skills/list': { params: PageParams; result: ListSkillsResult }
  'skills/get': { params: SkillParams; result: GetSkillResult }
  'resources/directory/read': { params: SkillParams; result: ListResourcesResult }
}

/** Requests of a client that one of our extensions answers. */
export const extensionRequests = {
  'tasks/get': { since: '2025-11-25', namedBy: 'taskId' },
  'tasks/result': { since: '2025-11-25', until: '2025-11-25' },
  'tasks/list': { since: '2025-11-25', until: '2025-11-25' },
  'tasks/cancel': { since: '2025-11-25', namedBy: 'taskId' },
  'tasks/update': { since: '2026-07-28', namedBy: 'taskId' },
  'skills/list': {},
  'skills/get': {},
  'resources/directory/read': {},
} as const satisfies { readonly [M in keyof ExtensionRequests]: ClientRequestRow }

const rows: ReadonlyMap<string, ClientRequestRow> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries<ClientRequestRow>({
    ...clientRequests,
    ...extensionRequests,
  }),
)

/** Returns the properties of a client's request; empty for a method that is not ours. */
export function clientRequestRow(method: string): ClientRequestRow {
  return rows.get(method) ?? unknownMethod
}

const unknownMethod: ClientRequestRow = {}

/** The name of an operation middleware can wrap. */
export type Operation = {
  [M in keyof ClientRequests]: (typeof clientRequests)[M] extends { isOperation: true } ? M : never
}[keyof ClientRequests]

/** The operations whose result may be something else than complete. */
export type OperationThat<Fact extends 'mayNeedInput' | 'mayBeTask'> = {
  [O in Operation]: (typeof clientRequests)[O] extends { readonly [F in Fact]: true } ? O : never
}[Operation]

/** The operations middleware can wrap, with what goes in and what comes out. */
export type Operations = {
  [O in Operation]: {
    /** The input. */
    params: OperationParams<ClientRequests[O]['params']>
    /** The output. */
    result: ClientRequests[O]['result']
  }
}

/** On the wire arguments may be left out; middleware always finds them. What carries a round on is not for it. */
type OperationParams<Params> = Omit<
  Params,
  'arguments' | 'task' | 'inputResponses' | 'requestState'
> &
  (Params extends { readonly arguments?: infer Arguments }
    ? { readonly arguments: NonNullable<Arguments> }
    : unknown)

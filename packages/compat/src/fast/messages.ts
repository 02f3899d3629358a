/** Predicates of the envelope, of params and of the notifications that are sent often. */

import {
  type Predicate,
  anything,
  array,
  boolean,
  integer,
  literal,
  looseObject,
  number,
  object,
  optional,
  record,
  string,
} from './predicates.ts'

export const isId: Predicate = (value) => typeof value === 'string' || Number.isSafeInteger(value)
const metadata = looseObject(
  {},
  {
    progressToken: isId,
    'io.modelcontextprotocol/related-task': object({ taskId: string }),
  },
)
export const meta = { _meta: metadata }
const version = literal('2.0')

const anyParams = looseObject({}, meta)
export const isResult: Predicate = looseObject({}, meta)
export const isEmptyResult: Predicate = object({}, meta)

export const isJsonRpcRequest: Predicate = object(
  { jsonrpc: version, id: isId, method: string },
  { params: anyParams },
)
export const isJsonRpcNotification: Predicate = object(
  { jsonrpc: version, method: string },
  { params: anyParams },
)
export const isResultResponse: Predicate = object({ jsonrpc: version, id: isId, result: isResult })
export const isErrorResponse: Predicate = object(
  {
    jsonrpc: version,
    error: object({ code: integer, message: string }, { data: anything }),
  },
  { id: isId },
)

/** Params of requests that need none. */
export const noParams: Predicate = optional(object({}, meta))
export const pageParams: Predicate = object({}, { ...meta, cursor: string })
export const uriParams: Predicate = object({ uri: string }, meta)
export const callToolParams: Predicate = object(
  { name: string },
  { ...meta, task: object({}, { ttl: number }), arguments: record(anything) },
)
export const getPromptParams: Predicate = object(
  { name: string },
  { ...meta, arguments: record(string) },
)
const icon = object(
  { src: string },
  { mimeType: string, sizes: array(string), theme: literal('light', 'dark') },
)
export const icons: Predicate = array(icon)
export const implementation: Predicate = object(
  { name: string, version: string },
  { title: string, icons, websiteUrl: string, description: string },
)
/** `elicitation: {}` and `tasks` are for the schema, which changes or looks deeper. */
const capabilities = object(
  {},
  {
    sampling: object({}, {}),
    roots: object({}, { listChanged: boolean }),
  },
)
export const initializeParams: Predicate = object(
  { protocolVersion: string, capabilities, clientInfo: implementation },
  meta,
)
export const cancelledParams: Predicate = object({}, { ...meta, requestId: isId, reason: string })
export const progressParams: Predicate = object(
  { progress: number, progressToken: isId },
  { ...meta, total: number, message: string },
)
const level = literal(
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
)
export const levelParams: Predicate = object({ level }, meta)
export const loggingParams: Predicate = object(
  { level, data: anything },
  { ...meta, logger: string },
)
export const completeParams: Predicate = object(
  {
    ref: (value) =>
      object({ type: literal('ref/prompt'), name: string })(value) ||
      object({ type: literal('ref/resource'), uri: string })(value),
    argument: object({ name: string, value: string }),
  },
  { ...meta, context: object({}, { arguments: record(string) }) },
)

/** Accepts `{ method, params }` of one method. */
export function messageOf(method: string, params: Predicate): Predicate {
  const fields = object({ method: literal(method) }, { params: anything })
  return (value) => fields(value) && params((value as { params?: unknown }).params)
}

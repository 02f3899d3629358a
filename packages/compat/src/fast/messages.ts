/** Predicates of the envelope, of params and of the notifications that are sent often. */

import {
  type Predicate,
  anything,
  array,
  boolean,
  integer,
  isPlain,
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

const anyParams = looseObject({}, meta)
export const isResult: Predicate = looseObject({}, meta)
export const isEmptyResult: Predicate = object({}, meta)

const isError = object({ code: integer, message: string }, { data: anything })

/** The kinds by the fields that a message has. `params` may be missing, and the id of an error. */
const kinds = new Map<number, MessageKind>([
  [0b000111, 'request'],
  [0b001111, 'request'],
  [0b000101, 'notification'],
  [0b001101, 'notification'],
  [0b010011, 'result'],
  [0b100001, 'error'],
  [0b100011, 'error'],
])

export type MessageKind = 'request' | 'notification' | 'result' | 'error'

/** Returns the kind of a valid message; `undefined` for one that the schemas have to decide on. */
export function kindOfMessage(message: unknown): MessageKind | undefined {
  if (!isPlain(message)) return undefined
  let fields = 0
  for (const key in message) {
    const bit = bitOfField(key, message[key])
    if (bit === undefined) return undefined
    fields |= bit
  }
  return Object.getOwnPropertySymbols(message).length === 0 ? kinds.get(fields) : undefined
}

function bitOfField(key: string, value: unknown): number | undefined {
  switch (key) {
    case 'jsonrpc':
      return value === '2.0' ? 0b000001 : undefined
    case 'id':
      return isId(value) ? 0b000010 : undefined
    case 'method':
      return typeof value === 'string' ? 0b000100 : undefined
    case 'params':
      return value === undefined || anyParams(value) ? 0b001000 : undefined
    case 'result':
      return isResult(value) ? 0b010000 : undefined
    case 'error':
      return isError(value) ? 0b100000 : undefined
  }
  return undefined
}

/** Accepts valid messages of one kind. */
export const isMessageOf =
  (kind: MessageKind): Predicate =>
  (value) =>
    kindOfMessage(value) === kind

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
const named = record(isPlain)
const modes = object({}, { form: object({}, { applyDefaults: boolean }), url: isPlain })
/** `elicitation: {}` means forms, and the schema says so. It also looks at `tasks`. */
const capabilities = object(
  {},
  {
    experimental: named,
    extensions: named,
    sampling: object({}, { context: isPlain, tools: isPlain }),
    elicitation: (value) => modes(value) && Object.keys(value as object).length > 0,
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

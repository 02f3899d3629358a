/** Predicates of content, of what lists are made of, and of results. */

import { icons, meta } from './messages.ts'
import {
  type Predicate,
  anything,
  array,
  boolean,
  fraction,
  isPlain,
  literal,
  looseObject,
  number,
  object,
  record,
  string,
} from './predicates.ts'

const extra = { _meta: record(anything) }
const looseExtra = { _meta: looseObject({}) }
const role = literal('user', 'assistant')
/** Dates are for the schema. */
const annotations = object({}, { audience: array(role), priority: fraction })

/** Base64 of whole groups. Others, and what has white space in it, are for the schema. */
const base64Form = /^[A-Za-z0-9+/]*={0,2}$/
const base64: Predicate = (value) =>
  typeof value === 'string' && value.length % 4 === 0 && base64Form.test(value)

const textResource = object({ uri: string, text: string }, { ...extra, mimeType: string })
const blobResource = object({ uri: string, blob: base64 }, { ...extra, mimeType: string })
const resourceContents: Predicate = (value) => textResource(value) || blobResource(value)

const described = { title: string, description: string, icons }
const resourceFields = { ...described, ...looseExtra, mimeType: string, size: number, annotations }
export const isResource: Predicate = object({ name: string, uri: string }, resourceFields)
const { size: _size, ...templateFields } = resourceFields
export const isResourceTemplate: Predicate = object(
  { name: string, uriTemplate: string },
  templateFields,
)

const contentByType = new Map<unknown, Predicate>([
  ['text', object({ type: string, text: string }, { ...extra, annotations })],
  ['image', object({ type: string, data: base64, mimeType: string }, { ...extra, annotations })],
  ['audio', object({ type: string, data: base64, mimeType: string }, { ...extra, annotations })],
  ['resource', object({ type: string, resource: resourceContents }, { ...extra, annotations })],
  ['resource_link', object({ type: string, name: string, uri: string }, resourceFields)],
])
export const isContent: Predicate = (value) =>
  isPlain(value) && (contentByType.get(value['type'])?.(value) ?? false)

const argument = object({ name: string }, { description: string, required: boolean })
export const isPrompt: Predicate = object(
  { name: string },
  { ...described, ...looseExtra, arguments: array(argument) },
)

const propertySchemas: Predicate = record((value) => typeof value === 'object' && value !== null)
const inputSchema = looseObject(
  { type: literal('object') },
  { properties: propertySchemas, required: array(string) },
)
export const isTool: Predicate = object(
  { name: string, inputSchema },
  {
    ...described,
    ...extra,
    outputSchema: inputSchema,
    annotations: object(
      {},
      {
        title: string,
        readOnlyHint: boolean,
        destructiveHint: boolean,
        idempotentHint: boolean,
        openWorldHint: boolean,
      },
    ),
    execution: object({}, { taskSupport: literal('required', 'optional', 'forbidden') }),
  },
)

/** Accepts a page of a list. */
export function pageOf(key: string, item: Predicate): Predicate {
  return looseObject({ [key]: array(item) }, { ...meta, nextCursor: string })
}

/** Without `content` the schema adds an empty one. */
export const isCallToolResult: Predicate = looseObject(
  { content: array(isContent) },
  { ...meta, structuredContent: record(anything), isError: boolean },
)
export const isGetPromptResult: Predicate = looseObject(
  { messages: array(object({ role, content: isContent })) },
  { ...meta, description: string },
)
export const isReadResourceResult: Predicate = looseObject(
  { contents: array(resourceContents) },
  meta,
)

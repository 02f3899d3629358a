import type { Problem } from '../../src/schema/check.ts'
import { isJsonObject } from '../../src/schema/json.ts'

/** An object of a message, to be changed. */
export interface Fields {
  [key: string]: unknown
}

/**
 * Something our checks accept on purpose and others refuse. The repair takes exactly that from an object of a message,
 * so that the two must agree about what is left.
 */
export interface Looser {
  readonly reason: string
  readonly repair: (fields: Fields) => void
}

/** Something our checks refuse on purpose and others accept. */
export interface Stricter {
  readonly reason: string
  readonly covers: (message: string, problem: Problem) => boolean
}

/** Against the official schemas of the revisions with `initialize`. */
export const looserThanOfficial: readonly Looser[] = [
  {
    reason:
      'questions are never run as tasks: what would ask for it is unknown here, and unknown fields pass',
    repair: (fields) => {
      if ('messages' in fields || 'message' in fields) delete fields['task']
    },
  },
  {
    reason: 'the generated schemas narrow numbers to integers, which the specification does not',
    repair: ({ task }) => {
      if (isFields(task) && typeof task['ttl'] === 'number') task['ttl'] = Math.round(task['ttl'])
    },
  },
  {
    reason:
      'of a tool only the roots of its schemas are looked at, as in 2026-07-28, so that one odd tool does not cost the list',
    repair: (fields) => {
      const { inputSchema, outputSchema } = fields
      if (isRootSchema(inputSchema) && inputSchema['type'] === 'object') {
        fields['inputSchema'] = { type: 'object' }
      }
      if (isRootSchema(outputSchema)) fields['outputSchema'] = { type: 'object' }
    },
  },
  {
    reason:
      'structuredContent is any value in 2026-07-28; the codecs of older revisions ask for more',
    repair: (fields) => {
      if ('content' in fields && 'structuredContent' in fields) fields['structuredContent'] = {}
    },
  },
  {
    reason: 'numbers in a form may have fractions [DEC-06]',
    repair: (fields) => {
      if (!('action' in fields) || !isFields(fields['content'])) return
      for (const [key, value] of Object.entries(fields['content'])) {
        if (typeof value === 'number') fields['content'][key] = Math.trunc(value)
      }
    },
  },
  {
    reason: 'elicitationId is gone in 2026-07-28',
    repair: (fields) => {
      if (fields['mode'] === 'url' && !('elicitationId' in fields)) fields['elicitationId'] = 'e-1'
    },
  },
]

/** Against the official schemas of the revisions with `initialize`. */
export const stricterThanOfficial: readonly Stricter[] = [
  {
    reason: 'a root is a file:// URI, which the schemas say in words only',
    covers: (_, { expected }) => expected === 'a file:// URI',
  },
  {
    reason:
      'a cancellation names its request [SCH-18]: 2025-11-25 alone lets it be absent, and dropping it is all one could do',
    covers: (message, { path }) => message === 'cancelledParams' && path[0] === 'requestId',
  },
  {
    reason:
      "contents with both text and blob have both right, since code tells them apart by `'text' in contents`",
    covers: (_, { path }) =>
      (path[0] === 'contents' || path.at(-2) === 'resource') &&
      (path.at(-1) === 'text' || path.at(-1) === 'blob'),
  },
  {
    reason:
      'a form field with enum or oneOf is an enum [ELIC-11]; the schemas also take it for a string with an unknown keyword',
    covers: (message, { path }) =>
      message === 'elicitParams' && path.some((key) => enumKeywords.has(key)),
  },
  {
    reason: 'a default that 2025-06-18 does not know has the type that 2025-11-25 gives it',
    covers: (message, { path }) => message === 'elicitParams' && path.includes('default'),
  },
]

/** Against the Zod schemas of the official SDK, besides the above. */
export const looserThanZod: readonly Looser[] = [
  {
    reason: 'base64 is decoded by whoever uses it, not twice',
    repair: (fields) => {
      if (typeof fields['data'] === 'string' && 'mimeType' in fields) fields['data'] = 'aGk='
      if (typeof fields['blob'] === 'string') fields['blob'] = 'aGk='
    },
  },
  {
    reason: 'formats of strings are annotations in the official schemas',
    repair: (fields) => {
      if (typeof fields['lastModified'] === 'string')
        fields['lastModified'] = '2025-01-12T15:00:58Z'
      if (typeof fields['url'] === 'string') fields['url'] = 'https://example.com'
    },
  },
  {
    reason: 'integers beyond 2^53 are integers to the official schemas',
    repair: (fields) => {
      for (const [key, value] of Object.entries(fields)) {
        if (Number.isInteger(value) && !Number.isSafeInteger(value)) fields[key] = 2
      }
    },
  },
]

/** Against the Zod schemas of the official SDK, besides the above; in each the official schemas agree with us. */
export const stricterThanZod: readonly Stricter[] = [
  {
    reason: 'fields that only 2026-07-28 knows have the type it gives them in every revision',
    covers: (_, { path }) => path[0] === 'ttlMs' || path[0] === 'cacheScope',
  },
  {
    reason: 'lengths and counts are integers [ELIC-08]',
    covers: (_, { path }) => countKeywords.has(path.at(-1) ?? ''),
  },
  {
    reason: '$schema is a string',
    covers: (_, { path }) => path.at(-1) === '$schema',
  },
  {
    reason: 'content is required in the result of a tool [SCH-15]',
    covers: (_, { path }) => path.at(-1) === 'content',
  },
  {
    reason: 'size is an integer [SCH-10]',
    covers: (_, { path }) => path.at(-1) === 'size',
  },
  {
    reason: 'title is a string, of a prompt argument and of a prompt reference too [SCH-01]',
    covers: (_, { path }) => path.at(-1) === 'title',
  },
]

const countKeywords = new Set<string | number>(['minLength', 'maxLength', 'minItems', 'maxItems'])
const enumKeywords = new Set<string | number>(['enum', 'enumNames', 'oneOf', 'anyOf'])

/** A copy of a message with every repair made. */
export function repaired(message: unknown, differences: readonly Looser[]): unknown {
  const copy: unknown = structuredClone(message)
  repairAll(copy, differences)
  return copy
}

function repairAll(value: unknown, differences: readonly Looser[]): void {
  if (typeof value !== 'object' || value === null) return
  if (isFields(value)) for (const { repair } of differences) repair(value)
  for (const member of Object.values(value)) repairAll(member, differences)
}

function isFields(value: unknown): value is Fields {
  return isJsonObject(value)
}

function isRootSchema(value: unknown): value is Fields {
  return isFields(value) && (!('$schema' in value) || typeof value['$schema'] === 'string')
}

import type {
  CallToolResult,
  ContentBlock,
  JsonObject,
  JsonValue,
  Validate,
  JsonSchema,
} from '@parley/mcp'

import { objectOf, type Operation } from './operations.ts'
import { follow, type OpenApiDocument } from './read-document.ts'
import { isJsonType, typeOf } from './request-body.ts'
import type { SchemaDefinitions } from './schema-definitions.ts'
import { textOf, type ApiResponse } from './send-request.ts'

const maxErrorCharacters = 2_000

/** The result of a call that succeeded. */
export function successResult(
  answer: ApiResponse,
  body: JsonValue | undefined,
  next: JsonObject | undefined,
  fitsBody: (() => Validate) | undefined,
): CallToolResult {
  const content: ContentBlock[] = [bodyBlock(answer, body)]
  if (next !== undefined) {
    const text = `There are more. For the next page call again with ${JSON.stringify(next)}`
    content.push({ type: 'text', text })
  }
  if (fitsBody === undefined) return { content }
  const whole = { status: answer.status, ...(next && { next }) }
  const isFit = body !== undefined && fitsBody()({ ...whole, body }) === undefined
  return { content, structuredContent: isFit ? { ...whole, body } : whole }
}

/** The result of a call that the API refused. */
export function errorResult(request: string, answer: ApiResponse): CallToolResult {
  const { status, statusText, headers } = answer
  const text = isText(answer.type) ? textOf(answer).trim() : ''
  const shown = text.length > maxErrorCharacters ? `${text.slice(0, maxErrorCharacters)}…` : text
  const retryAfter = headers.get('retry-after')
  const lines = [
    `${request} answered ${status}${statusText && ` ${statusText}`}${shown && ':'}`,
    ...(shown ? [shown] : []),
    ...(retryAfter === null ? [] : [`Try again after: ${retryAfter.slice(0, 100)}`]),
  ]
  return failed(lines.join('\n'))
}

/** A result that tells the model what went wrong. */
export function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

function bodyBlock(answer: ApiResponse, body: JsonValue | undefined): ContentBlock {
  const { type, bytes, isCut, status } = answer
  if (body !== undefined) return { type: 'text', text: JSON.stringify(body) }
  if (bytes.length === 0) return { type: 'text', text: `Done: status ${status}, without a body.` }
  const length = `${bytes.length} bytes`
  if (isText(type)) {
    const note = isCut ? `\n[cut: the answer is longer than the limit of ${length}]` : ''
    return { type: 'text', text: `${textOf(answer)}${note}` }
  }
  if (!isCut && type.startsWith('image/'))
    return { type: 'image', mimeType: type, data: base64(bytes) }
  if (!isCut && type.startsWith('audio/'))
    return { type: 'audio', mimeType: type, data: base64(bytes) }
  const size = isCut ? `more than ${length}` : length
  return {
    type: 'text',
    text: `Done: status ${status}, with ${size} of ${type}, which are not shown.`,
  }
}

function isText(type: string): boolean {
  return type === '' || /^text\/|[/+](?:json|xml|yaml|javascript|x-ndjson|csv)$/.test(type)
}

function base64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 8_192) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 8_192)))
  }
  return btoa(parts.join(''))
}

/**
 * The schema of a tool's answers: the status, and the body as the document describes it for success. The body may be
 * missing, because not every API keeps to its document; then the text has it alone.
 */
export function outputSchemaOf(
  { root }: OpenApiDocument,
  { responses }: Operation,
  definitions: SchemaDefinitions,
  maxBytes: number,
): JsonSchema | undefined {
  const successes = Object.keys(responses).filter((status) => /^2(?:\d\d|XX)$/i.test(status))
  const bodies: unknown[] = []
  for (const status of successes) {
    const content = objectOf(follow(root, responses[status])?.['content'])
    const [, media] = Object.entries(content).find(([type]) => isJsonType(typeOf(type))) ?? []
    const { schema } = objectOf(media)
    if (schema !== undefined) bodies.push(schema)
  }
  if (bodies.length === 0) return undefined
  const converted = bodies.map((body) => definitions.convert(body, 'output'))
  const distinct = [...new Map(converted.map((body) => [JSON.stringify(body), body])).values()]
  const schema = {
    type: 'object',
    properties: {
      status: { type: 'integer' },
      body: distinct.length === 1 ? distinct[0] : { anyOf: distinct },
      next: { type: 'object', description: 'Arguments for the next page' },
    },
    required: ['status'],
  }
  const $defs = definitions.definitionsFor(schema, 'output', maxBytes)
  return Object.keys($defs).length > 0 ? { ...schema, $defs } : schema
}

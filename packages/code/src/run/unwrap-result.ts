import type { CallToolResult, ContentBlock } from '@parley/mcp'
import { isJsonObject, parseJson } from '@parley/mcp/json'

import { ProgramCallError } from '../sandbox/program.ts'

/** Where a result comes from, and where its pictures and sounds go. */
export interface UnwrapOptions {
  /** The server, as the configuration names it. */
  readonly server: string
  /** The tool at that server. */
  readonly tool: string
  /** Takes binary content out of the way, and names it. */
  storeMedia(mimeType: string, data: string): string
}

/**
 * A result as a program gets it: its structured content, or else its one text, parsed if it is a JSON object or list, or else the
 * list of its blocks. Pictures and sounds stay outside and are named. Throws for an error of the tool.
 */
export function unwrapResult(
  { content, structuredContent, isError }: CallToolResult,
  options: UnwrapOptions,
): unknown {
  if (isError === true) {
    const { server, tool } = options
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
    throw new ProgramCallError('failed', text.trim() || `${tool} failed`, { server, tool })
  }
  if (structuredContent !== undefined) return structuredContent
  const blocks = content.map((block) => valueOf(block, options))
  const [only] = content
  if (content.length === 1 && only?.type === 'text') return parsed(only.text)
  return blocks
}

/** JSON in a text is meant as data; a number or a word is meant as text. */
function parsed(text: string): unknown {
  const trimmed = text.trim()
  if (!/^[[{]/.test(trimmed)) return text
  try {
    const value = parseJson(trimmed)
    return isJsonObject(value) || Array.isArray(value) ? value : text
  } catch {
    return text // it only looked like JSON
  }
}

function valueOf(block: ContentBlock, { storeMedia }: UnwrapOptions): unknown {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
    case 'audio': {
      const { type, mimeType, data } = block
      return { type, mimeType, bytes: bytesOf(data), ref: storeMedia(mimeType, data) }
    }
    case 'resource_link': {
      const { type, uri, name, title, description, mimeType, size } = block
      return { type, uri, name, title, description, mimeType, size }
    }
    case 'resource': {
      const { resource } = block
      if ('text' in resource) return { type: 'resource', ...resource }
      const { uri, mimeType = 'application/octet-stream', blob } = resource
      return {
        type: 'resource',
        uri,
        mimeType,
        bytes: bytesOf(blob),
        ref: storeMedia(mimeType, blob),
      }
    }
  }
}

function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
}

/** The keys and types of a value, two levels deep, without any of its values: `{ items: { id: string }[] }`. */
export function shapeOf(value: unknown, depth = 2): string {
  if (value === null) return 'null'
  if (Array.isArray(value))
    return value.length === 0 ? 'unknown[]' : `${shapeOf(value[0], depth)}[]`
  if (typeof value !== 'object') return typeof value
  if (depth === 0) return 'object'
  const entries = Object.entries(value)
  const members = entries
    .slice(0, 20)
    .map(
      ([name, one]) =>
        `${/^\w{1,40}$/.test(name) ? name : JSON.stringify(name.slice(0, 40))}: ${shapeOf(one, depth - 1)}`,
    )
  const more = entries.length > 20 ? [`/* ${entries.length - 20} more */`] : []
  return members.length === 0 ? '{}' : `{ ${[...members, ...more].join('; ')} }`
}

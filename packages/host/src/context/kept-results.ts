import type { JsonObject } from '@parley/mcp'

import type { ModelTool } from '../models/model.ts'

/** Results that were too long for a model, kept whole so that it can read on. */
export interface StoredResults {
  /** The handle to read it by. */
  keep(text: string): string
  /** The result of `read_result`. */
  read(args: JsonObject): { readonly text: string; readonly isError: boolean }
  readonly size: number
}

/** The tool by which a model reads a kept result. */
export const readResultTool: ModelTool = {
  name: 'read_result',
  description:
    'Reads more of a tool result that was too long. Give offset and length in characters, or a JSON pointer into a result that is JSON.',
  inputSchema: {
    type: 'object',
    properties: {
      handle: { type: 'string', description: 'such as result-1' },
      offset: { type: 'integer', minimum: 0, description: 'default 0' },
      length: { type: 'integer', minimum: 1, maximum: 16_000, description: 'default 8000' },
      pointer: { type: 'string', description: 'JSON pointer, such as /items/3/name' },
    },
    required: ['handle'],
  },
}

const maxRead = 16_000

export function createStoredResults(maxCharacters: number): StoredResults {
  const byHandle = new Map<string, string>()
  let count = 0
  let total = 0

  function dropOldest(): void {
    for (const [handle, text] of byHandle) {
      if (total <= maxCharacters) return
      byHandle.delete(handle)
      total -= text.length
    }
  }

  return {
    get size() {
      return byHandle.size
    },
    keep(text) {
      count += 1
      const handle = `result-${count}`
      byHandle.set(handle, text)
      total += text.length
      dropOldest()
      return handle
    },
    read({ handle, offset = 0, length = 8_000, pointer }) {
      const text = typeof handle === 'string' ? byHandle.get(handle) : undefined
      if (text === undefined) {
        const handles = [...byHandle.keys()].join(', ') || 'none'
        return failed(`no result ${JSON.stringify(handle)} is kept; there is: ${handles}`)
      }
      if (typeof pointer === 'string') return readPointer(text, pointer)
      if (!isCount(offset) || !isCount(length))
        return failed('offset and length are whole numbers from 0')
      const part = text.slice(offset, offset + Math.min(length, maxRead))
      return {
        text: `characters ${offset} to ${offset + part.length} of ${text.length}:\n${part}`,
        isError: false,
      }
    },
  }
}

function readPointer(text: string, pointer: string) {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return failed('the result is not JSON: use offset and length')
  }
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    if (!isThere)
      return failed(`the result has nothing at ${pointer}: ${JSON.stringify(key)} is missing`)
    value = (value as { readonly [key: string]: unknown })[key] // an own member, just looked up
  }
  const found = JSON.stringify(value) ?? 'null'
  const rest = found.length - maxRead
  const more = rest > 0 ? `\n… ${rest} more characters: use a longer pointer` : ''
  return { text: found.slice(0, maxRead) + more, isError: false }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function failed(text: string) {
  return { text, isError: true }
}

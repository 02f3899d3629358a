import { readBounded } from '@parley/mcp/internal'
import { parseJson, errorMessage } from '@parley/mcp/json'

import { Problem } from './problem.ts'

/** Reads JSON up to a size; depth and number of values are limited too. */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new Problem(415, 'The body must be JSON: send Content-Type: application/json.')
  }
  const text = await readText(request, maxBytes)
  try {
    return parseJson(text)
  } catch (error) {
    const why = errorMessage(error)
    throw new Problem(400, `The body is not valid JSON: ${why}`, {
      details: [{ message: 'not valid JSON', location: 'body' }],
    })
  }
}

/** Members of a body that is an object. */
export interface BodyFields {
  /** As it was sent; undefined if it was not. */
  get(field: string): unknown
  /** A text; the preset for anything else. */
  text(field: string, preset?: string): string
}

/** Reads JSON by its members; anything but an object has none. */
export async function readFields(request: Request, maxBytes: number): Promise<BodyFields> {
  const body = await readJson(request, maxBytes)
  const fields = new Map<string, unknown>(
    typeof body === 'object' && body !== null ? Object.entries(body) : [],
  )
  return {
    get: (field) => fields.get(field),
    text(field, preset = '') {
      const value = fields.get(field)
      return typeof value === 'string' ? value : preset
    },
  }
}

/** A body as text, up to a size. */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const tooLong = new Problem(413, `The body is longer than ${maxBytes} bytes.`)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLong
  const bytes = await readBounded(request, maxBytes, () => tooLong)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem(400, 'The body is not UTF-8.')
  }
}

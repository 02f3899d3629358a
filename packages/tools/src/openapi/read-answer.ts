import type { JsonValue } from '@parley/mcp'

import { isJsonType, typeOf } from './request-body.ts'

/** An answer of the API, read as far as it may be. */
export interface ApiAnswer {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly type: string
  readonly bytes: Uint8Array
  /** There was more than the limit. */
  readonly isCut: boolean
  /** Its JSON; undefined if it is none. */
  readonly json: JsonValue | undefined
}

/** Reads a body up to a limit, and gives up the rest. */
export async function readAnswer(response: Response, maxBytes: number): Promise<ApiAnswer> {
  const { status, statusText, headers } = response
  const { bytes, isCut } = await readBytes(response, maxBytes)
  const type = typeOf(headers.get('content-type') ?? '')
  const isJson = !isCut && bytes.length > 0 && (type === '' || isJsonType(type))
  const json = isJson ? parseOrNone(new TextDecoder().decode(bytes)) : undefined
  return { status, statusText, headers, type, bytes, isCut, json }
}

/** As text, where it is text. */
export function textOf({ bytes }: ApiAnswer): string {
  return new TextDecoder().decode(bytes)
}

async function readBytes(
  { body }: Response,
  maxBytes: number,
): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
  const pieces: Uint8Array[] = []
  let length = 0
  if (body !== null) {
    const reader = body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const piece = value as Uint8Array // bodies are bytes
      pieces.push(piece)
      length += piece.length
      if (length > maxBytes) {
        await reader.cancel().catch(() => undefined) // it is given up either way
        break
      }
    }
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  const isCut = length > maxBytes
  return { bytes: isCut ? bytes.subarray(0, maxBytes) : bytes, isCut }
}

function parseOrNone(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue // what JSON.parse returns
  } catch {
    return undefined // shown as text
  }
}

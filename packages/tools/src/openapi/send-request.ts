import type { JsonValue } from '@parley/mcp'
import { parseUrl } from '@parley/mcp/address'

import type { ApiRequest } from './build-request.ts'
import { isJsonType, typeOf } from './request-body.ts'

/** The part of `fetch` that is used; a guarded one fits too. */
export type OpenApiFetch = (url: string, init: RequestInit) => Promise<Response>

/** How a request is sent. */
export interface SendOptions {
  readonly fetch: OpenApiFetch
  readonly signal: AbortSignal
}

/** An answer came, or none. */
export type Sent = { readonly response: Response } | { readonly problem: string }

const maxRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])

/** Sends a request. Redirects are followed within the same origin only: credentials and answers stay there. */
export async function sendRequest(request: ApiRequest, options: SendOptions): Promise<Sent> {
  let { url, method, body } = request
  const headers = new Headers(request.headers)
  for (let followed = 0; followed <= maxRedirects; followed++) {
    const response = await options.fetch(url.href, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: options.signal,
    })
    const { status } = response
    const location = redirects.has(status) ? response.headers.get('location') : null
    if (location === null) return { response }
    await response.body?.cancel().catch(() => undefined) // nobody reads it
    const target = parseUrl(location, url)
    if (target?.origin !== url.origin) {
      const where = target === undefined ? 'an address that is not a URL' : target.origin
      return { problem: `it answered with a redirect to ${where}, which is not followed` }
    }
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isRead && status !== 307 && status !== 308) {
      if (status !== 303)
        return { problem: `it answered ${status}, a redirect, which is not followed for ${method}` }
      method = 'GET'
      body = undefined
      headers.delete('content-type')
    }
    url = target
  }
  return { problem: `it answered with more than ${maxRedirects} redirects` }
}

/** An answer of the API, read as far as it may be. */
export interface ApiResponse {
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
export async function readAnswer(response: Response, maxBytes: number): Promise<ApiResponse> {
  const { status, statusText, headers } = response
  const { bytes, isCut } = await readBytes(response, maxBytes)
  const type = typeOf(headers.get('content-type') ?? '')
  const isJson = !isCut && bytes.length > 0 && (type === '' || isJsonType(type))
  const json = isJson ? parseOrNone(new TextDecoder().decode(bytes)) : undefined
  return { status, statusText, headers, type, bytes, isCut, json }
}

/** Returns the body as text, if it is text. */
export function textOf({ bytes }: ApiResponse): string {
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

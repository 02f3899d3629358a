import { describeProblem } from '../../schema/check.ts'
import { encodeBase64 } from '../../schema/json/base64.ts'
import { isJson } from '../../schema/make-content.ts'
import {
  readResourceResult,
  type ReadResourceResult,
  type ResourceContents,
} from '../../schema/resources.ts'
import type { Call } from '../calls/call.ts'
import { isBinary, isTextual, readBinary, type Binary } from './binary.ts'

/** Turns the value that a handler returned into a result; undefined if there is no such resource. */
export async function toReadResult(
  returned: unknown,
  uri: string,
  declaredType: string | undefined,
  call: Call,
): Promise<ReadResourceResult | undefined> {
  if (returned === undefined || returned === null) return undefined
  if (typeof returned === 'string') return contents(textContents(uri, returned, declaredType))
  if (typeof returned !== 'object') {
    throw new TypeError(
      `a resource cannot return a ${typeof returned}: return text, bytes or json(value)`,
    )
  }
  if (returned instanceof Uint8Array) return contents(blobContents(uri, returned, declaredType))
  if (Array.isArray(returned)) return written({ contents: returned }, uri)
  if (isBinary(returned)) return binaryContents(returned, uri, declaredType, call)
  if (isJson(returned)) return contents(jsonContents(uri, returned['~json']))
  if ('contents' in returned && Array.isArray(returned.contents)) {
    return written({ ...returned, contents: returned.contents }, uri)
  }
  if ('text' in returned || 'blob' in returned) return written({ contents: [returned] }, uri)
  return contents(jsonContents(uri, returned))
}

function contents(only: ResourceContents): ReadResourceResult {
  return { contents: [only] }
}

/** Checks contents written by hand, so that their author gets the error and not the client. */
function written(
  result: { readonly contents: readonly unknown[] },
  uri: string,
): ReadResourceResult {
  const whole = { ...result, contents: result.contents.map((one) => withUri(one, uri)) }
  const problem = readResourceResult(whole)
  if (problem === undefined) return whole as ReadResourceResult // just checked
  throw new TypeError(`resource ${uri} returned invalid contents: ${describeProblem(problem)}`)
}

function withUri(content: unknown, asked: string): unknown {
  if (typeof content !== 'object' || content === null) return content
  const { uri = asked, ...rest } = content as { readonly uri?: unknown } // any object
  return { uri, ...rest }
}

function textContents(uri: string, text: string, mimeType = 'text/plain'): ResourceContents {
  return { uri, mimeType, text }
}

function jsonContents(uri: string, value: unknown): ResourceContents {
  return { uri, mimeType: 'application/json', text: JSON.stringify(value) }
}

function blobContents(
  uri: string,
  bytes: Uint8Array,
  mimeType = 'application/octet-stream',
): ResourceContents {
  return { uri, mimeType, blob: encodeBase64(bytes) }
}

async function binaryContents(
  value: Binary,
  uri: string,
  declaredType: string | undefined,
  { caller }: Call,
): Promise<ReadResourceResult | undefined> {
  if ('status' in value && (value.status === 404 || value.status === 410)) return undefined
  if ('ok' in value && !value.ok) {
    throw new Error(`reading ${uri} failed with status ${value.status} ${value.statusText}`)
  }
  const body = await readBinary(value, caller.limits.messageBytes)
  const mimeType = declaredType ?? body.mimeType
  const text = isTextual(mimeType) ? decodeText(body.bytes) : undefined
  return contents(
    text === undefined
      ? blobContents(uri, body.bytes, mimeType)
      : textContents(uri, text, mimeType),
  )
}

/** Undefined for bytes that are not UTF-8: as text they would arrive changed. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

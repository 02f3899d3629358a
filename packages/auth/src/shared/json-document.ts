import { BodyTooLong, readBounded } from '@parley/mcp/internal'
import { errorMessage, parseJsonObject } from '@parley/mcp/json'

import { AuthError, isAuthError, type AuthStep } from './auth-error.ts'
import { fetchChecked } from './redirects.ts'
import { findUrlProblem } from './url-rules.ts'

/** A document of metadata, or why there is none at that place. */
export type FoundDocument =
  | { readonly kind: 'found'; readonly document: JsonObject }
  | { readonly kind: 'absent'; readonly why: string }

/** How a document is asked for. */
export interface DocumentOptions {
  readonly step: AuthStep
  readonly headers?: { readonly [name: string]: string } | undefined
  /** Redirects to other origins are not followed. */
  readonly sameOrigin?: boolean | undefined
}

const maxBytes = 256 * 1024

/** Fetches metadata. What the place does not have is a value; that it cannot be reached is an error. */
export async function fetchDocument(
  url: URL,
  http: DocumentFetch,
  { step, headers, sameOrigin }: DocumentOptions,
): Promise<FoundDocument> {
  const reject = (why: string) =>
    new AuthError('address_refused', `cannot read ${url.href}: ${why}`, { step })
  const check = (to: URL) => {
    const problem = findUrlProblem(to, http)
    if (problem !== undefined) throw reject(`${to.origin}: ${problem}`)
    if (sameOrigin && to.origin !== url.origin) throw reject(`it redirects to ${to.origin}`)
  }
  try {
    const init = { headers: { accept: 'application/json', ...headers }, signal: http.signal }
    const response = await fetchChecked(http.fetch, url, init, { check, reject: reject })
    return await readDocument(response)
  } catch (error) {
    if (http.signal.aborted) throw http.signal.reason
    if (isAuthError(error, 'metadata_invalid')) return { kind: 'absent', why: error.message }
    if (isAuthError(error)) throw error
    throw new AuthError('unreachable', `cannot reach ${url.host}: ${errorMessage(error)}`, {
      step,
      cause: error,
    })
  }
}

async function readDocument(response: Response): Promise<FoundDocument> {
  const { status } = response
  if (status !== 200) {
    await response.body?.cancel()
    // 502 is what some proxies say of places they do not know; the others mean: not now.
    if (status === 429 || (status >= 500 && status !== 502)) throw new Error(`status ${status}`)
    return { kind: 'absent', why: `status ${status}` }
  }
  try {
    const document = parseJsonObject(
      new TextDecoder().decode(await readBounded(response, maxBytes)),
    )
    return document ? { kind: 'found', document } : { kind: 'absent', why: 'not a JSON object' }
  } catch (error) {
    if (error instanceof BodyTooLong) return { kind: 'absent', why: error.message }
    throw error
  }
}

/** A JSON object of which no member has been checked. */
export interface JsonObject {
  readonly [name: string]: unknown
}

/** The strings of a list; other items are left out. */
export function stringsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined
}

/** A stranger's words for a message of ours: one line of visible characters, cut where it gets long. */
export function plainText(text: string, maxLength = 300): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return line.length <= maxLength ? line : `${line.slice(0, maxLength)}…`
}

/** How documents of others are asked for. */
export interface DocumentFetch {
  readonly fetch: typeof fetch
  /** Addresses of this machine may be asked too, without https. */
  readonly allowLoopback: boolean
  readonly signal: AbortSignal
}

import { initializeMessage } from '../check/legacy-peer.ts'
import { modernRequest } from '../check/modern-peer.ts'
import { checkedRevisions, type SupportedRevisions } from '../check/revisions.ts'
import { member, type JsonObject } from '../json.ts'
import type { Exchange } from '../probe/exchange.ts'
import type { LinkOptions } from '../probe/link-options.ts'

/** How a server is examined. */
export interface Examining {
  /** Which revisions to speak. @defaultValue the newest of each era */
  readonly supported?: SupportedRevisions | undefined
  readonly options?: LinkOptions | undefined
}

/** A request, and the headers that go with it over HTTP. */
export interface Opening {
  readonly message: JsonObject
  readonly headers: { readonly [name: string]: string }
}

/** What is sent first: the handshake, unless only requests that stand for themselves are wanted. */
export function openingOf({ supported = checkedRevisions, options = {} }: Examining): Opening {
  const { legacy, modern = checkedRevisions.modern } = supported
  if (legacy === undefined) return modernRequest('server/discover', modern, 1)
  const capabilities = options.answer === undefined ? {} : { roots: {} }
  return { message: initializeMessage(legacy, 1, capabilities), headers: {} }
}

/** A later request, as the revision of the first answer has it. */
export function requestFor(
  method: string,
  opening: Exchange,
  { supported = checkedRevisions }: Examining,
): Opening {
  const { modern = checkedRevisions.modern } = supported
  const isLegacy = member(opening.answer?.['result'], 'protocolVersion') !== undefined
  if (!isLegacy) return modernRequest(method, modern, method)
  return { message: { jsonrpc: '2.0', id: method, method, params: {} }, headers: {} }
}

/** For people: `30 s`, `500 ms`. */
export function timeLimitOf(usualMs: number, { options = {} }: Examining): string {
  const ms = options.timeoutMs ?? usualMs
  return ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`
}

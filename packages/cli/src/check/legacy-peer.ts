import { isJsonObject } from '@parley/mcp/json'

import { excerpt, member, objectsOf, type JsonObject } from '../json.ts'
import type { Exchange, ExchangeOptions, RawLink } from '../probe/exchange.ts'
import type { Subject } from './check.ts'

/** Lists a server may have. */
export const listMethods = {
  tools: 'tools/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
  prompts: 'prompts/list',
} as const

export type ListKind = keyof typeof listMethods

/** A server in a session that began with a handshake. */
export interface LegacyPeer extends AsyncDisposable {
  readonly subject: Subject
  readonly link: RawLink
  readonly revision: string
  /** The answer to `initialize`, as it came. */
  readonly opening: Exchange
  readonly capabilities: JsonObject
  /** What goes with every request after the handshake, over HTTP. */
  readonly headers: { readonly [name: string]: string }
  ask(method: string, params?: JsonObject, options?: ExchangeOptions): Promise<Exchange>
  notify(method: string, params?: JsonObject): Promise<Exchange>
  /** For what may not be answered: a ping behind it shows that the server goes on, and that nothing more will come. */
  probe(message: JsonObject | string): Promise<Probed>
  /** How the server answers a ping when nothing odd was sent; asked once. */
  usualPing(): Promise<Exchange>
  /** Any message, with the headers of the session. */
  send(message: JsonObject | string, options?: ExchangeOptions): Promise<Exchange>
  /** All pages of a list, at most a hundred; fetched once. */
  list(kind: ListKind): Promise<readonly JsonObject[]>
}

/** What came of something odd, and of a ping after it. */
export interface Probed {
  readonly found: Exchange
  readonly after: Exchange
  /** The ping was answered as ever: by a result, or, where the server has no ping, by the same error. */
  readonly goesOn: boolean
}

export const clientInfo = { name: 'parley check', version: '1' }

/** `initialize` as we send it. */
export function initializeMessage(
  revision: string,
  id: string | number = 1,
  capabilities: JsonObject = {},
): JsonObject {
  return {
    jsonrpc: '2.0',
    id,
    method: 'initialize',
    params: { protocolVersion: revision, capabilities, clientInfo },
  }
}

/** Opens a session; undefined if the server does not agree to one. */
export async function openLegacy(
  subject: Subject,
  wanted: string,
): Promise<LegacyPeer | undefined> {
  const link = await subject.open()
  const first = initializeMessage(wanted, 1, subject.clientCapabilities)
  const opening = await link.exchange(first, { waitMs: 30_000 })
  const result = opening.answer?.['result']
  if (!isJsonObject(result)) {
    await link[Symbol.asyncDispose]()
    return undefined
  }
  const reportedVersion = result['protocolVersion']
  const revision = typeof reportedVersion === 'string' ? reportedVersion : wanted
  const session = opening.http?.header('mcp-session-id')
  const headers: Record<string, string> = {
    'mcp-protocol-version': revision,
    ...(session !== undefined && { 'mcp-session-id': session }),
  }
  let last = 1
  let ping: Promise<Exchange> | undefined
  const lists = new Map<ListKind, Promise<readonly JsonObject[]>>()
  const capabilities = member(result, 'capabilities')

  const peer: LegacyPeer = {
    subject,
    link,
    revision,
    opening,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    headers,
    ask(method, params, options) {
      last += 1
      return peer.send({ jsonrpc: '2.0', id: last, method, ...(params && { params }) }, options)
    },
    // Over HTTP even a notification is answered; on stdio there is nothing to wait for.
    notify: (method, params) =>
      peer.send(
        { jsonrpc: '2.0', method, ...(params && { params }) },
        { waitMs: link.kind === 'http' ? 10_000 : 1 },
      ),
    async probe(message) {
      const usual = await peer.usualPing()
      const withVerdict = (found: Exchange, after: Exchange): Probed => ({
        found,
        after,
        goesOn: isLike(after, usual),
      })
      if (link.kind === 'http') {
        return withVerdict(await peer.send(message), await peer.ask('ping'))
      }
      let isOver = (): void => undefined
      const until = new Promise<void>((resolve) => {
        isOver = resolve
      })
      const sending = peer.send(message, { waitMs: 5_000, until })
      const after = await peer.ask('ping', undefined, { waitMs: 5_000 })
      setTimeout(isOver, 50) // who answers in another order still gets a moment
      return withVerdict(await sending, after)
    },
    usualPing: () => (ping ??= peer.ask('ping', undefined, { waitMs: 5_000 })),
    send: (message, options = {}) =>
      link.exchange(message, { ...options, headers: { ...headers, ...options.headers } }),
    list(kind) {
      const existing = lists.get(kind) ?? collect(peer, kind)
      lists.set(kind, existing)
      return existing
    },
    [Symbol.asyncDispose]: () => link[Symbol.asyncDispose](),
  }
  await peer.notify('notifications/initialized')
  return peer
}

async function collect(peer: LegacyPeer, kind: ListKind): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < 100; pages += 1) {
    const { answer } = await peer.ask(listMethods[kind], cursor === undefined ? {} : { cursor })
    items.push(...objectsOf(member(answer?.['result'], kind)))
    const next = member(answer?.['result'], 'nextCursor')
    if (typeof next !== 'string' || next === cursor) break
    cursor = next
  }
  return items
}

/** Both are results, or the same error. */
export function isLike(a: Exchange, b: Exchange): boolean {
  if (a.answer === undefined) return false
  return 'result' in a.answer || (codeOf(a) !== undefined && codeOf(a) === codeOf(b))
}

/** The number of an error, if the answer is one. */
export function codeOf({ answer }: Exchange): number | undefined {
  const code = member(answer?.['error'], 'code')
  return typeof code === 'number' ? code : undefined
}

/** In words: what came back. */
export function describe({ answer, ended, http }: Exchange): string {
  const status = http === undefined ? '' : ` (HTTP ${http.status})`
  if (answer === undefined) {
    const type = http?.header('content-type') ?? ''
    if (http !== undefined && http.status < 300 && type.includes('html')) {
      return `a web page was returned${status}`
    }
    return ended === 'closed'
      ? `the connection ended without an answer${status}`
      : `no answer${status}`
  }
  const error = answer['error']
  if (!isJsonObject(error)) return `a result${status}`
  return `error ${excerpt(error['code'], 20)} ${JSON.stringify(error['message'])}${status}`
}

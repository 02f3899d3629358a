import { isJsonObject } from '@parley/mcp/json'

import { member, type JsonObject } from '../json.ts'
import type { Exchange, ExchangeOptions, RawLink } from '../probe/exchange.ts'
import type { Subject } from './check.ts'
import { clientInfo } from './legacy-peer.ts'

/** A server that takes requests which stand for themselves. */
export interface ModernPeer extends AsyncDisposable {
  readonly subject: Subject
  readonly link: RawLink
  readonly revision: string
  /** The answer to `server/discover`, as it came. */
  readonly discovered: Exchange
  readonly capabilities: JsonObject
  ask(method: string, params?: JsonObject, options?: ExchangeOptions): Promise<Exchange>
  /** A request as it should be, to be changed and sent by hand. */
  request(method: string, params?: JsonObject): ModernRequest
}

export interface ModernRequest {
  readonly message: JsonObject & { readonly params: JsonObject }
  readonly headers: { readonly [name: string]: string }
}

const prefix = 'io.modelcontextprotocol/'

/** A request of that revision, and the headers that go with it over HTTP. */
export function modernRequest(
  method: string,
  revision: string,
  id: string | number,
  params: JsonObject = {},
): ModernRequest {
  const meta = {
    [`${prefix}protocolVersion`]: revision,
    [`${prefix}clientCapabilities`]: {},
    [`${prefix}clientInfo`]: clientInfo,
  }
  const name = params['name'] ?? params['uri']
  return {
    message: { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } },
    headers: {
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
  }
}

/** Asks who is there; undefined if the server does not know such requests. */
export async function openModern(
  subject: Subject,
  revision: string,
): Promise<ModernPeer | undefined> {
  const link = await subject.open()
  let last = 0

  function request(method: string, params: JsonObject = {}): ModernRequest {
    last += 1
    return modernRequest(method, revision, last, params)
  }

  function ask(
    method: string,
    params?: JsonObject,
    options: ExchangeOptions = {},
  ): Promise<Exchange> {
    const { message, headers } = request(method, params)
    return link.exchange(message, { ...options, headers: { ...headers, ...options.headers } })
  }

  const discovered = await ask('server/discover', {}, { waitMs: 5_000 })
  const result = discovered.answer?.['result']
  if (!Array.isArray(member(result, 'supportedVersions'))) {
    await link[Symbol.asyncDispose]()
    return undefined
  }
  const capabilities = member(result, 'capabilities')
  return {
    subject,
    link,
    revision,
    discovered,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    ask,
    request,
    [Symbol.asyncDispose]: () => link[Symbol.asyncDispose](),
  }
}

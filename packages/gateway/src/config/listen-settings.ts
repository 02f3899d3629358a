import { memberOf, type ConfigNode } from '@parley/foundation/config'
import { createTrustedProxies, isLoopbackAddress } from '@parley/mcp/address'

import type { ListenerTls } from '../identity/listener-tls.ts'
import type { ConfigReader } from './config-reader.ts'
import { readTls } from './tls-settings.ts'

/** Where a gateway listens, as its file says. */
export interface ListenSettings {
  /** Over HTTP, or by whoever starts this process. @defaultValue 'http' */
  readonly to?: 'http' | 'stdio' | undefined
  /** @defaultValue 3000 */
  readonly port?: number | undefined
  /** The address to listen on. Without a guard it must be loopback. @defaultValue '127.0.0.1' */
  readonly host?: string | undefined
  /** The path of the endpoint. @defaultValue '/mcp' */
  readonly path?: string | undefined
  /** The public address. */
  readonly url?: string | undefined
  /** Origins of pages that may call. @defaultValue loopback */
  readonly origins?: readonly string[] | undefined
  /** Proxies in front of it. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Serve HTTP+SSE too. */
  readonly alsoSse?: boolean | undefined
  /** Accept WebSockets too. */
  readonly alsoWebSocket?: boolean | undefined
  /** HTTPS, and certificates of callers. */
  readonly tls?: ListenerTls | undefined
}

const names = ['http', 'stdio', 'path', 'url', 'origins', 'trustedProxies', 'sse', 'ws', 'tls']

/** One address, or standard input and output; a list of one is the same. */
export function readListen(
  reader: ConfigReader,
  node: ConfigNode | undefined,
  { hasAuth, folder }: { readonly hasAuth: boolean; readonly folder: string },
): ListenSettings {
  if (node === undefined) return {}
  const [first, second] = Array.isArray(node.value) ? node.items : [node]
  if (first === undefined) {
    reader.fault(node, 'listen', 'is empty', 'Write listen: { http: 127.0.0.1:3000 }.')
    return {}
  }
  if (second !== undefined) {
    const fix = 'Keep one. Profiles are served below its path, such as /mcp/dev.'
    reader.fault(second, 'listen.1', 'is a second place to listen', fix)
  }
  const fields = reader.object(first, 'listen', names)
  if (fields === undefined) return {}
  if (reader.boolean(fields, 'stdio', 'listen.stdio')) return { to: 'stdio' }
  const http = memberOf(fields, 'http')?.node
  const address = http && readAddress(reader, http)
  const tls = readTls(reader, memberOf(fields, 'tls')?.node, folder)
  const isGuarded = hasAuth || tls?.clientCa !== undefined
  const settings: ListenSettings = {
    to: 'http',
    ...address,
    path: reader.text(fields, 'path', 'listen.path'),
    url: reader.text(fields, 'url', 'listen.url'),
    origins: reader.texts(fields, 'origins', 'listen.origins'),
    trustedProxies: readProxies(reader, fields),
    alsoSse: reader.boolean(fields, 'sse', 'listen.sse'),
    alsoWebSocket: reader.boolean(fields, 'ws', 'listen.ws'),
    ...(tls && { tls }),
  }
  if (http && address && !isLoopbackAddress(address.host)) {
    const message = `listens on ${address.host}, where strangers can call, and there is no auth`
    if (!isGuarded) reader.fault(http, 'listen.http', message, 'Use 127.0.0.1, or add auth.')
    else if (settings.url === undefined) {
      const fix = 'Add url: "https://gw.example/mcp".'
      reader.fault(http, 'listen.url', `is missing, and others can reach ${address.host}`, fix)
    }
  }
  return settings
}

function readProxies(reader: ConfigReader, fields: ConfigNode): readonly string[] | undefined {
  const key = 'listen.trustedProxies'
  const proxies = reader.texts(fields, 'trustedProxies', key)
  for (const node of memberOf(fields, 'trustedProxies')?.node.items ?? []) {
    try {
      createTrustedProxies([String(node.value)])
    } catch {
      const seen = JSON.stringify(node.value)
      const fix = 'Write 192.0.2.7, 10.0.0.0/8 or fd00::/8.'
      reader.fault(node, key, `is neither an address nor a range of addresses: ${seen}`, fix)
    }
  }
  return proxies
}

function readAddress(
  reader: ConfigReader,
  node: ConfigNode,
): { readonly host: string; readonly port: number } | undefined {
  const [, host = '127.0.0.1', port = ''] =
    /^(?:\[?([^\]]+?)\]?:)?(\d{1,5})$/.exec(String(node.value)) ?? []
  const number = Number(port)
  if (port !== '' && number <= 65_535) return { host, port: number }
  const seen = JSON.stringify(node.value)
  reader.fault(
    node,
    'listen.http',
    `is no address and port: ${seen}`,
    'Write 127.0.0.1:3000 or 3000.',
  )
  return undefined
}

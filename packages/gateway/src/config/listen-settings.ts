import { isLoopbackAddress } from '@parley/mcp/address'

import type { ListenerTls } from '../identity/listener-tls.ts'
import type { ConfigFaults } from './config-faults.ts'
import type { SectionValue } from './gateway-file.ts'
import { checkTlsFiles, tlsSettings } from './tls-settings.ts'

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

/** One address, or standard input and output; a list of one is the same. */
export function listenSettings(
  listen: SectionValue<'listen'> | undefined,
  { hasAuth, folder }: { readonly hasAuth: boolean; readonly folder: string },
  faults: ConfigFaults,
): ListenSettings {
  const place = Array.isArray(listen) ? listen[0] : listen
  if (place === undefined) return {}
  if (place.stdio === true) return { to: 'stdio' }
  const { http: address, path, url, origins, trustedProxies, sse, ws } = place
  const tls = place.tls && tlsSettings(place.tls, folder)
  if (tls) checkTlsFiles(tls, faults)
  if (address && !isLoopbackAddress(address.host)) {
    if (!hasAuth && tls?.clientCa === undefined) {
      const what = `listens on the public address ${address.host} without auth`
      faults.fault(['listen', 'http'], what, 'Use 127.0.0.1, or add auth.')
    } else if (url === undefined) {
      const what = `is missing, and other machines can reach ${address.host}`
      faults.fault(['listen', 'url'], what, 'Add url: "https://gw.example/mcp".')
    }
  }
  return {
    to: 'http',
    ...address,
    path,
    url,
    origins,
    trustedProxies,
    alsoSse: sse,
    alsoWebSocket: ws,
    ...(tls && { tls }),
  }
}

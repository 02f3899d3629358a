import { env } from 'node:process'

import { createGuardedFetch, createHostList } from '@parley/server-kit/fetch'

/** Where data may come from, and how much of it. */
export interface LoadLimits {
  readonly maxBytes: number
  readonly timeoutMs: number
  /** Hosts, and all below them. None: only `data:` URLs. */
  readonly allowedDomains: readonly string[]
}

/** The limits the environment sets. */
export function limitsFromEnvironment(): LoadLimits {
  return {
    maxBytes: positive(env['GZIP_MAX_FETCH_SIZE'], 10 * 1024 * 1024),
    timeoutMs: positive(env['GZIP_MAX_FETCH_TIME_MILLIS'], 30_000),
    allowedDomains: (env['GZIP_ALLOWED_DOMAINS'] ?? '')
      .split(',')
      .map((domain) => domain.trim().toLowerCase())
      .filter((domain) => domain !== ''),
  }
}

/** The bytes behind a URL. Throws with a reason to show to the caller. */
export async function loadData(
  address: string,
  { maxBytes, timeoutMs, allowedDomains }: LoadLimits,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const url = new URL(address)
  refuseAddress(url, allowedDomains)
  if (url.protocol === 'data:') return readDataUrl(address, maxBytes)
  const guarded = createGuardedFetch({
    allowHosts: allowedDomains,
    allowPrivate: allowedDomains.filter(isPlace),
    maxBytes,
    timeoutMs,
  })
  const fetched = await guarded(url, { signal })
  if (fetched.status < 200 || fetched.status > 299) {
    await fetched.discard()
    throw new Error(`the host answered with status ${fetched.status}`)
  }
  return fetched.bytes()
}

function refuseAddress({ protocol, hostname }: URL, allowedDomains: readonly string[]): void {
  if (!['data:', 'http:', 'https:'].includes(protocol)) {
    throw new Error(
      `Unsupported URL protocol ${protocol} Only http, https, and data URLs are supported.`,
    )
  }
  if (protocol !== 'data:' && !createHostList(allowedDomains)(hostname)) {
    throw new Error(
      `Domain ${hostname} is not in the allowed domains list: set GZIP_ALLOWED_DOMAINS to fetch from it.`,
    )
  }
}

/** Whoever lists this machine or an address means it; a name may lead to the internet only. */
function isPlace(domain: string): boolean {
  return domain === 'localhost' || /^[\d.]+$|:/.test(domain)
}

/** There is nobody to be asked. */
async function readDataUrl(address: string, maxBytes: number): Promise<Uint8Array> {
  if (address.length > 4 * maxBytes) throw new Error(`there is more than ${maxBytes} bytes of it`)
  const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer())
  if (bytes.byteLength > maxBytes) throw new Error(`there is more than ${maxBytes} bytes of it`)
  return bytes
}

function positive(text: string | undefined, otherwise: number): number {
  const value = Number(text)
  return value > 0 ? value : otherwise
}

import { env } from 'node:process'

import { createGuardedFetch, createHostList } from '@parley/server-kit/fetch'

/** Where data may come from, and how much of it. */
export interface LoadLimits {
  readonly maxBytes: number
  readonly timeoutMs: number
  /** Hosts, and all below them. None: every public one. */
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
  rejectAddress(url, allowedDomains)
  if (url.protocol === 'data:') return readDataUrl(address, maxBytes)
  const guarded = createGuardedFetch({
    ...(allowedDomains.length > 0 && { allowHosts: allowedDomains }),
    allowPrivate: allowedDomains.filter(isPosition),
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

function rejectAddress(url: URL, allowedDomains: readonly string[]): void {
  const { protocol, hostname, href } = url
  if (!['data:', 'http:', 'https:'].includes(protocol)) {
    throw new Error(
      `Unsupported URL protocol for ${href}. Only http, https, and data URLs are supported.`,
    )
  }
  if (protocol === 'data:' || allowedDomains.length === 0) return
  if (!createHostList(allowedDomains)(hostname)) {
    throw new Error(`Domain ${hostname} is not in the allowed domains list: GZIP_ALLOWED_DOMAINS.`)
  }
}

/** Whoever lists this machine or an address means it; a name may lead to the internet only. */
function isPosition(domain: string): boolean {
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

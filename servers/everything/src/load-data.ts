import { Buffer } from 'node:buffer'
import { env } from 'node:process'

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
  refuseAddress(new URL(address), allowedDomains)
  const response = await fetch(address, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    redirect: 'error', // a redirect may lead to a host that is not allowed
  })
  if (!response.ok) throw new Error(`the host answered with status ${response.status}`)
  const announced = Number(response.headers.get('content-length') ?? 0)
  if (announced > maxBytes) throw tooLarge(maxBytes)
  return readAtMost(response, maxBytes)
}

function refuseAddress({ protocol, hostname }: URL, allowedDomains: readonly string[]): void {
  if (protocol === 'data:') return
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new Error(
      `Unsupported URL protocol ${protocol} Only http, https, and data URLs are supported.`,
    )
  }
  const isAllowed = allowedDomains.some(
    (domain) => hostname === domain || hostname.endsWith(`.${domain}`),
  )
  if (!isAllowed) {
    throw new Error(
      `Domain ${hostname} is not in the allowed domains list: set GZIP_ALLOWED_DOMAINS to fetch from it.`,
    )
  }
}

async function readAtMost({ body }: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(maxBytes: number): Error {
  return new Error(`there is more than ${maxBytes} bytes of it`)
}

function positive(text: string | undefined, otherwise: number): number {
  const value = Number(text)
  return value > 0 ? value : otherwise
}

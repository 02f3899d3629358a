/**
 * Reads the server card of a remote server before connecting. Sends no credentials, follows no redirect, and never rejects: a card is a
 * hint, and nothing in it is trusted.
 */

import { supportedRevisions } from '@parley/mcp'
import { isLoopbackHost } from '@parley/mcp/address'
import type { Negotiated } from '@parley/mcp/client'
import { isJsonObject, errorMessage, parseJsonObject } from '@parley/mcp/json'
import type { ServerCard, ServerCardRemote } from '@parley/mcp/node'

import { type JsonObject } from './json-document.ts'
import { createSafeFetch } from './safe-fetch.ts'
import { parseUrl } from './url-rules.ts'

/** A server's card, or why there is none. */
export type FoundServerCard =
  | {
      /** The server serves a card. */
      readonly kind: 'found'
      /** The card, checked. */
      readonly card: ServerCard
      /** Where it was. */
      readonly url: string
      /** Whether it names the address that was asked for as one of its own. */
      readonly isOfServer: boolean
      /** The revision that the card claims for the requested address; pass it to `connect` as `previous` to skip the probe. */
      readonly previous?: Negotiated | undefined
    }
  | {
      /** The server serves no card that can be used. */
      readonly kind: 'absent'
      /** Why not, for people. */
      readonly why: string
    }

/** How a card is asked for. */
export interface ReadServerCardOptions {
  /** @defaultValue public addresses, or this machine if the server is there; 64 KiB and five seconds at most */
  readonly fetch?: typeof fetch | undefined
  /** Stops waiting for the card. */
  readonly signal?: AbortSignal | undefined
}

const maxBytes = 64 * 1024
const timeoutMs = 5_000
const cardType = 'application/mcp-server-card+json'

/**
 * Reads what a server says of itself before anybody connects: `server-card` below its address, else where earlier drafts
 * had it. No credentials are sent and no redirect is followed. Never rejects, and nothing in a card is proven by itself:
 * whoever serves the address wrote it.
 */
export async function readServerCard(
  server: string | URL,
  options: ReadServerCardOptions = {},
): Promise<FoundServerCard> {
  const url = parseUrl(String(server))
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return { kind: 'absent', why: 'the address is not an http: or https: URL' }
  }
  const network = isLoopbackHost(url.hostname) ? 'loopback' : 'public'
  const { fetch = createSafeFetch({ network, maxBytes, timeoutMs }), signal } = options
  const below = new URL(`${url.pathname.replace(/\/$/, '')}/server-card`, url)
  const urls = [below, new URL('/.well-known/mcp/server-card.json', url)]
  const reasons: string[] = []
  for (const cardUrl of urls) {
    const found = await readAt(cardUrl, url, fetch, signal)
    if (found.kind === 'found') return found
    reasons.push(found.why)
  }
  return { kind: 'absent', why: [...new Set(reasons)].join('; ') }
}

async function readAt(
  cardUrl: URL,
  server: URL,
  send: typeof fetch,
  signal: AbortSignal | undefined,
): Promise<FoundServerCard> {
  const absent = (why: string): FoundServerCard => ({
    kind: 'absent',
    why: `${cardUrl.pathname}: ${why}`,
  })
  try {
    const response = await send(cardUrl, {
      headers: { accept: `${cardType}, application/json;q=0.5` },
      redirect: 'manual',
      credentials: 'omit',
      ...(signal && { signal }),
    })
    if (response.status !== 200) return absent(`status ${response.status}`)
    const text = await response.text()
    if (text.length > maxBytes) return absent(`longer than ${maxBytes} bytes`)
    const card = readCard(parseJsonObject(text))
    if (card === undefined) return absent('not a server card')
    const own = (card.remotes ?? []).find((remote) => isSame(remote.url, server))
    const previous = own && previousOf(own)
    return {
      kind: 'found',
      card,
      url: cardUrl.href,
      isOfServer: own !== undefined,
      ...(previous && { previous }),
    }
  } catch (error) {
    return absent(errorMessage(error))
  }
}

/** Total: undefined for a value that is no card. Fields of another shape are left out. */
function readCard(value: JsonObject | undefined): ServerCard | undefined {
  if (value === undefined) return undefined
  const { $schema, name, version, description, title, websiteUrl, remotes, _meta: meta } = value
  if (typeof name !== 'string' || !/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]{1,198}$/.test(name)) {
    return undefined
  }
  if (!isText(version, 255) || !isText(description, 1_000)) return undefined
  return {
    $schema: isText($schema, 200) ? $schema : '',
    name,
    version,
    description,
    ...(isText(title, 200) && { title }),
    ...(isText(websiteUrl, 2_000) && { websiteUrl }),
    remotes: (Array.isArray(remotes) ? remotes.slice(0, 50) : []).flatMap(readRemote),
    ...(isJsonObject(meta) && { _meta: meta }),
  }
}

function readRemote(value: unknown): readonly ServerCardRemote[] {
  if (!isJsonObject(value)) return []
  const { type, url, supportedProtocolVersions: versions } = value
  if ((type !== 'streamable-http' && type !== 'sse') || !isText(url, 2_000)) return []
  const existing = Array.isArray(versions)
    ? versions.filter((version) => isText(version, 50))
    : undefined
  return [{ type, url, ...(existing && { supportedProtocolVersions: existing }) }]
}

/** The newest revision of the card that this version speaks. Where the card is wrong, connecting finds out as ever. */
function previousOf({ type, supportedProtocolVersions: versions = [] }: ServerCardRemote) {
  const supported = supportedRevisions
    .filter((candidate) => versions.includes(candidate))
    .toSorted()
  const revision = supported.at(-1)
  if (revision === undefined) return undefined
  const transport = type === 'sse' ? ('sse' as const) : ('http' as const)
  return { revision, transport, at: Date.now() }
}

function isSame(text: string, server: URL): boolean {
  const plain = ({ origin, pathname }: URL) => `${origin}${pathname.replace(/\/$/, '')}`
  const url = parseUrl(text)
  return url !== undefined && plain(url) === plain(server)
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= most
}

/**
 * A `fetch` on Node's own HTTP client that decides by the address a socket really connects to, so that a name cannot change between check
 * and use (SSRF). Limits headers, and unpacks bodies.
 *
 * Follows no redirects; `safe-fetch.ts` limits bodies and redirects for OAuth requests.
 */

import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline, Readable, type Duplex } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import zlib from 'node:zlib'

import { classifyAddress } from '@parley/mcp/address'

import { AuthError } from '../shared/auth-error.ts'
import type { SocketRules } from '../shared/safe-fetch.ts'

/** The limit for the headers of one response: status line, names and values together. */
const maxHeaderBytes = 16 * 1024

/** Asks for all addresses of a name, as `lookup` of `node:dns` does. */
export type Lookup = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/** Where a socket may go, and who says which addresses a name has. */
export interface NodeSocketRules extends SocketRules {
  /** @defaultValue `lookup` of `node:dns` */
  readonly lookup?: Lookup | undefined
}

/** Node's own client instead of `fetch`, because its `lookup` sees the very address the socket then goes to. */
export async function fetchGuarded(
  to: string,
  init: RequestInit,
  rules: NodeSocketRules,
): Promise<Response> {
  const url = new URL(to)
  requireAllowed(url, rules)
  const body =
    init.body == null ? undefined : Buffer.from(await new Response(init.body).arrayBuffer())
  const headers = headersOf(init, body)
  const start = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise<Response>((resolve, reject) => {
    const request = start(url, {
      method: init.method ?? 'GET',
      headers,
      agent: false, // no socket that somebody else opened by other rules
      lookup: guardedLookup(rules),
      maxHeaderSize: maxHeaderBytes,
      ...(init.signal && { signal: init.signal }),
    })
    request.on('error', reject)
    request.on('response', (message) => {
      try {
        resolve(responseOf(message))
      } catch (error) {
        message.destroy()
        reject(error)
      }
    })
    request.end(body)
  })
}

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = message
  if (status < 200 || status > 599) throw new Error(`it answers with status ${status}`)
  return new Response(hasBody(status) ? streamOf(message) : null, {
    status,
    statusText,
    headers: responseHeaders(message),
  })
}

function headersOf(init: RequestInit, body: Buffer | undefined): Record<string, string> {
  const headers = Object.fromEntries(new Headers(init.headers))
  return {
    'accept-encoding': 'gzip, br',
    ...(init.body instanceof URLSearchParams && {
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
    }),
    ...headers,
    ...(body !== undefined && { 'content-length': String(body.length) }),
  }
}

type LookupDone = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** A socket looks up no address that is written in digits, so such an address is checked here. */
function requireAllowed({ hostname }: URL, { isAllowed, reject = notAllowed }: SocketRules): void {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (classifyAddress(address) === undefined || isAllowed(address, hostname)) return
  throw reject(hostname, address)
}

/** Refuses a name as soon as one of its addresses is not allowed. */
function guardedLookup({ isAllowed, reject = notAllowed, lookup = systemLookup }: NodeSocketRules) {
  return (hostname: string, options: { all?: boolean | undefined }, done: LookupDone): void => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      const bad = addresses.find(({ address }) => !isAllowed(address, hostname))
      if (bad !== undefined) return done(reject(hostname, bad.address), [])
      const [first] = addresses
      if (first === undefined) return done(new Error(`${hostname} has no address`), [])
      return options.all ? done(null, addresses) : done(null, first.address, first.family)
    })
  }
}

function notAllowed(hostname: string): AuthError {
  return new AuthError(
    'address_refused',
    `${hostname} is not contacted: its address is not public`,
    {
      step: 'issuer',
      hint: 'The option network of createSafeFetch sets which addresses are allowed.',
    },
  )
}

function hasBody(status: number): boolean {
  return ![204, 205, 304].includes(status)
}

function responseHeaders(message: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(message.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  if (headers.has('content-encoding')) headers.delete('content-length') // that of the packed body
  headers.delete('content-encoding')
  return headers
}

function streamOf(message: IncomingMessage): ReadableStream {
  const decoder = decoderOf(message.headers['content-encoding'])
  if (decoder === undefined) return Readable.toWeb(message)
  // Either end takes the other with it; who reads hears of it from the decoder.
  return Readable.toWeb(pipeline(message, decoder, () => undefined))
}

function decoderOf(encoding = 'identity'): Duplex | undefined {
  const name = encoding.trim().toLowerCase()
  if (name === 'identity') return undefined
  if (name === 'gzip' || name === 'x-gzip') return zlib.createGunzip()
  if (name === 'br') return zlib.createBrotliDecompress()
  if (name === 'deflate') return zlib.createInflate()
  // Only newer versions of Node have it.
  if (name === 'zstd' && hasZstd(zlib)) return zlib.createZstdDecompress()
  throw new Error(`it has the content encoding ${JSON.stringify(encoding)}, which is not supported`)
}

function hasZstd(library: object): library is { createZstdDecompress(): Duplex } {
  return 'createZstdDecompress' in library
}

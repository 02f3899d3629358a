import { lookup, type LookupAddress } from 'node:dns'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

import { AuthError } from '../shared/auth-error.ts'
import type { GuardedFetch } from '../shared/safe-fetch.ts'

/** Node's own client instead of `fetch`, because its `lookup` sees the very address the socket then goes to. */
export const fetchGuarded: GuardedFetch = async (to, init, isAllowed) => {
  const url = new URL(to)
  const body =
    init.body == null ? undefined : Buffer.from(await new Response(init.body).arrayBuffer())
  const headers = headersOf(init, body)
  const start = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise<Response>((resolve, reject) => {
    const request = start(url, {
      method: init.method ?? 'GET',
      headers,
      agent: false, // no socket that somebody else opened by other rules
      lookup: guardedLookup(isAllowed),
      ...(init.signal && { signal: init.signal }),
    })
    request.on('error', reject)
    request.on('response', (message) => {
      const { statusCode = 0, statusMessage = '' } = message
      if (statusCode < 200) return
      resolve(
        new Response(hasBody(statusCode) ? streamOf(message) : null, {
          status: statusCode,
          statusText: statusMessage,
          headers: responseHeaders(message),
        }),
      )
    })
    request.end(body)
  })
}

function headersOf(init: RequestInit, body: Buffer | undefined): Record<string, string> {
  const given = Object.fromEntries(new Headers(init.headers))
  return {
    'accept-encoding': 'gzip, br',
    ...(init.body instanceof URLSearchParams && {
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
    }),
    ...given,
    ...(body !== undefined && { 'content-length': String(body.length) }),
  }
}

type LookupDone = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** Refuses a name as soon as one of its addresses is not allowed. */
function guardedLookup(isAllowed: (address: string) => boolean) {
  return (hostname: string, options: { all?: boolean | undefined }, done: LookupDone): void => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      const bad = addresses.find(({ address }) => !isAllowed(address))
      if (bad !== undefined) return done(notAllowed(hostname), [])
      const [first] = addresses
      if (options.all) return done(null, addresses)
      return first ? done(null, first.address, first.family) : done(notAllowed(hostname), [])
    })
  }
}

function notAllowed(hostname: string): AuthError {
  return new AuthError(
    'address_refused',
    `${hostname} is not asked: its address is not a public one`,
    {
      step: 'issuer',
      hint: 'The option network of createSafeFetch says which addresses may be asked.',
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
  headers.delete('content-encoding')
  headers.delete('content-length')
  return headers
}

function streamOf(message: IncomingMessage): ReadableStream {
  const decoder = decoderOf(message.headers['content-encoding'])
  if (decoder !== undefined) message.on('error', (error) => decoder.destroy(error))
  const readable = decoder === undefined ? message : message.pipe(decoder)
  return Readable.toWeb(readable)
}

function decoderOf(encoding: string | undefined) {
  const name = encoding?.toLowerCase()
  if (name === 'gzip' || name === 'x-gzip') return createGunzip()
  if (name === 'br') return createBrotliDecompress()
  return name === 'deflate' ? createInflate() : undefined
}

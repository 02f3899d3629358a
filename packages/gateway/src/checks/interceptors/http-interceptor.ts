import { parseUrl } from '@parley/mcp/address'
import { readBounded } from '@parley/mcp/internal'
import { parseJson } from '@parley/mcp/json'

import type { Check } from '../check.ts'
import { createInterceptor, type InterceptorOptions } from './interceptor.ts'

/** An interceptor that is a service. */
export interface HttpInterceptorOptions extends InterceptorOptions {
  /** Gets `POST { stage, request, result }` as JSON. `https:`, or `http:` on this machine. */
  readonly url: string
  readonly headers?: { readonly [name: string]: string } | undefined
  /** Longer answers are failures. @defaultValue 1 MiB */
  readonly answerBytes?: number | undefined
  /** @defaultValue the global one */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Asks a service. It is never followed to another address, and gets no credentials but the headers that were given. */
export function httpInterceptor(options: HttpInterceptorOptions): Check {
  const { url, headers, answerBytes = 1024 * 1024, fetch = globalThis.fetch } = options
  const wrong = urlMistake(url)
  if (wrong !== undefined) throw new TypeError(`interceptor ${options.name}: ${wrong}`)

  return createInterceptor(options, async (stage, request, result, signal) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ stage, request, ...(result !== undefined && { result }) }),
      redirect: 'manual',
      signal,
    })
    if (response.status === 204) return undefined
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new Error(`answered with status ${response.status}: 200 and 204 are expected`)
    }
    return parseJson(await answerOf(response, answerBytes))
  })
}

/** Returns what is wrong with an address; undefined if it can be used. */
export function urlMistake(url: string): string | undefined {
  const parsed = parseUrl(url)
  if (parsed === undefined) return `${JSON.stringify(url.slice(0, 100))} is not a URL`
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname)
  if (parsed.protocol !== 'https:' && !(parsed.protocol === 'http:' && isLocal)) {
    return `${parsed.protocol}//${parsed.host} is not encrypted: requests of callers would be readable on the way`
  }
  if (parsed.username !== '' || parsed.password !== '')
    return 'the URL has a user name or password in it'
  return undefined
}

async function answerOf(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) throw new Error('answered with nothing')
  const tooLong = () => new Error(`answered with more than ${maxBytes} bytes`)
  return new TextDecoder().decode(await readBounded(response, maxBytes, tooLong))
}

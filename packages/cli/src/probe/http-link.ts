import { request } from 'node:http'
import { request as requestTls } from 'node:https'

import { isLoopbackHost } from '@parley/mcp/address'
import { parseJson, isJsonObject } from '@parley/mcp/json'
import { createParser } from 'eventsource-parser'

import { type JsonObject } from '../json.ts'
import { answers, type Exchange, type ExchangeOptions, type RawLink } from './exchange.ts'
import { reportFrame, waitFor, wholeSignal, type LinkOptions } from './link-options.ts'
import { readText } from './read-text.ts'

const maxBody = 8 * 1024 * 1024

/** Talks to a server over HTTP, one request at a time. Rejects only if it cannot be reached. */
export function openHttpLink(
  url: string,
  headers: { readonly [name: string]: string } = {},
  options: LinkOptions = {},
): RawLink {
  return {
    kind: 'http',
    exchange: (body, wanted = {}) => exchange({ url, headers, options }, body, wanted),
    ...(isLoopback(url) && {
      exchangeAs: (host: string, body: JsonObject) => exchangeAs(url, headers, host, body),
    }),
    [Symbol.asyncDispose]: async () => undefined,
  }
}

interface Endpoint {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly options: LinkOptions
}

let exchanges = 0

async function exchange(
  { url, headers: common, options }: Endpoint,
  body: JsonObject | string,
  { headers = {}, waitMs = 10_000, method = 'POST', until, onlyHead }: ExchangeOptions,
): Promise<Exchange> {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), waitFor(waitMs, options))
  void until?.then(() => ending.abort())
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const sentHeaders = requestHeaders(common, headers)
  exchanges += 1
  const stream = `http-${exchanges}`
  const onText = (data: string): void => {
    reportFrame(options, 'in', data, stream)
    void replyTo(data, { url, headers: sentHeaders, options }, stream)
  }
  reportFrame(options, 'out', text, stream)
  try {
    const response = await fetch(url, {
      method,
      headers: sentHeaders,
      ...(method === 'POST' && { body: text }),
      redirect: 'manual',
      signal: wholeSignal(ending.signal, options),
    })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    const read = onlyHead
      ? nothing
      : await (isStream ? readEvents(response, body, onText) : readWhole(response, body, onText))
    return {
      ...read,
      http: {
        status: response.status,
        body: read.text,
        header: (name) => response.headers.get(name) ?? undefined,
      },
    }
  } catch (error) {
    options.signal?.throwIfAborted()
    if (ending.signal.aborted) return nothing
    throw error
  } finally {
    clearTimeout(timer)
    ending.abort()
  }
}

/** Not by `fetch`: that names the host by itself. */
function exchangeAs(
  url: string,
  common: { readonly [name: string]: string },
  host: string,
  body: JsonObject,
): Promise<number> {
  const send = url.startsWith('https:') ? requestTls : request
  return new Promise((resolve, reject) => {
    const headers = requestHeaders(common, { host })
    const sent = send(url, { method: 'POST', headers, timeout: 10_000 }, (response) => {
      resolve(response.statusCode ?? 0)
      sent.destroy()
    })
    sent.once('error', reject)
    sent.once('timeout', () => sent.destroy(new Error('no answer in 10 s')))
    sent.end(JSON.stringify(body))
  })
}

/** Whether an address is one of this machine. */
export function isLoopback(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname)
}

function requestHeaders(
  common: { readonly [name: string]: string },
  own: { readonly [name: string]: string | undefined },
): Record<string, string> {
  const all: Record<string, string | undefined> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...common,
    ...own,
  }
  const entries = Object.entries(all).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  return Object.fromEntries(entries)
}

interface Read extends Pick<Exchange, 'messages' | 'answer' | 'noise' | 'ended'> {
  readonly text: string
}

const nothing = { messages: [], answer: undefined, noise: [], ended: 'silence', text: '' } as const

/** A request of the server that came on a stream is answered by a request of its own. */
async function replyTo(
  data: string,
  { url, headers, options }: Endpoint,
  stream: string,
): Promise<void> {
  const replies =
    options.answer === undefined ? [] : parse(data).filter((candidate) => 'method' in candidate)
  for (const requested of replies) {
    const reply = options.answer?.(requested)
    if (reply === undefined) continue
    const body = JSON.stringify(reply)
    reportFrame(options, 'out', body, stream)
    const { signal } = options
    const init = { method: 'POST', headers, body, ...(signal && { signal }) }
    const answer = await fetch(url, init).catch(() => undefined)
    await answer?.body?.cancel()
  }
}

async function readWhole(
  response: Response,
  sent: JsonObject | string,
  onText: (text: string) => void,
): Promise<Read> {
  const text = await readText(response, maxBody)
  onText(text)
  const messages = parse(text)
  const answer = messages.find((message) => answers(message, sent))
  const noise = messages.length === 0 && text !== '' ? [text.slice(0, 200)] : []
  return { messages, answer, noise, ended: answer === undefined ? 'closed' : 'answered', text }
}

async function readEvents(
  response: Response,
  sent: JsonObject | string,
  onText: (text: string) => void,
): Promise<Read> {
  const messages: JsonObject[] = []
  const noise: string[] = []
  const parser = createParser({
    onEvent({ data }) {
      onText(data)
      const found = parse(data)
      if (found.length === 0 && data !== '') noise.push(data.slice(0, 200))
      messages.push(...found)
    },
  })
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response.body ?? []) {
      const part = decoder.decode(chunk, { stream: true })
      text += part
      parser.feed(part)
      const answer = messages.find((message) => answers(message, sent))
      if (answer !== undefined) return { messages, answer, noise, ended: 'answered', text }
      if (text.length > maxBody) break
    }
  } catch {
    return { messages, answer: undefined, noise, ended: 'silence', text } // time was up while it was open
  }
  return { messages, answer: undefined, noise, ended: 'closed', text }
}

/** One message, or those of a batch. */
function parse(text: string): readonly JsonObject[] {
  try {
    const value = parseJson(text)
    return (Array.isArray(value) ? value : [value]).filter(isJsonObject)
  } catch {
    return []
  }
}

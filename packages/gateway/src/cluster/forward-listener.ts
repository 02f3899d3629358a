/**
 * Takes requests of other processes of the same gateway, runs them here and sends back what comes of them, line by line. Forwards are
 * sealed, and too old ones are rejected; what a reader leaves unread is bounded. The other end is `forward-client.ts`.
 */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { isRpcError, RpcError, type JsonObject, type OnError } from '@parley/mcp'
import type { BackendOutcome } from '@parley/mcp/internal/relay'

import type { Forward, ForwardedReply, ForwardLine, WrittenError } from './forward-messages.ts'
import type { ForwardCipher } from './forward-seal.ts'
import { boundTo, forwardHeader, lineBoundTo, readName, type ExchangeName } from './forward-wire.ts'

/** How the caller of a forward is reached. */
export interface ForwardedChannel {
  notify(method: string, params: JsonObject): void
  ask(
    method: string,
    params: JsonObject | undefined,
    limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<JsonObject>
  /** Aborted when the other process does not wait any more. */
  readonly signal: AbortSignal
}

/** The outcome of a forwarded request. */
export interface Done {
  readonly answer: BackendOutcome
  /** It waits here until its client comes again with answers. */
  readonly isParked: boolean
}

export interface ForwardListenerOptions {
  /** The name of this process. */
  readonly node: string
  readonly encrypt: ForwardCipher
  readonly host: string
  readonly port: number
  /** How often a line is sent where there is nothing to say, so that silence means that a process is lost. */
  readonly aliveMs: number
  run(forward: Forward, channel: ForwardedChannel): Promise<Done>
  readonly onError: OnError
}

/** Takes requests of other processes of the gateway. */
export interface ForwardListener extends AsyncDisposable {
  /** `HOST:PORT`, for the others. */
  readonly address: string
  /** Exchanges that were refused: forged, altered, replayed or too old. */
  readonly rejected: number
}

/** Clocks of machines differ; what is older is refused, and for so long what was heard is remembered. */
const newestMs = 60_000
const maxBytes = 96 * 1024 * 1024
const maxForwards = 1_000
const mostOfOne = 200
const maxRemembered = 200_000
/** Limit for data that a process may leave unread before it is dropped. */
const maxUnread = 64 * 1024 * 1024

export async function startForwardListener(
  options: ForwardListenerOptions,
): Promise<ForwardListener> {
  const { node, encrypt, aliveMs, onError } = options
  const seen = new Map<string, number>()
  const open = new Map<string, (answer: ForwardedReply) => void>()
  const counts = new Map<string, number>()
  let rejectedCount = 0

  const server = createServer(
    { requestTimeout: 60_000, keepAliveTimeout: 120_000 },
    (request, response) => {
      response.on('error', () => undefined) // told by close
      void take(request, response).catch((error: unknown) => {
        onError(error, { severity: 'warning', operation: 'forward' })
        if (response.headersSent) response.destroy()
        else end(response, 500)
      })
    },
  )

  /** Accepts a request; a sender without the key learns only that it is rejected. */
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const name = readName(request.headers[forwardHeader], node)
    const isKnown = request.method === 'POST' && (path === '/forward' || path === '/answer')
    if (!isKnown || name === undefined) return rejectRequest(request, response)
    const body = await readBody(request, maxBytes)
    const text = body && encrypt.open(body, boundTo(path, name))
    if (text === undefined || !isNew(name)) return rejectRequest(request, response)
    if (path === '/forward') {
      await answer(name, JSON.parse(text) as Forward, response) // sealed by one of us
    } else {
      const forwarded = JSON.parse(text) as ForwardedReply // as above
      open.get(`${forwarded.forward} ${forwarded.inputRequest}`)?.(forwarded)
      end(response, 204)
    }
  }

  function rejectRequest(request: IncomingMessage, response: ServerResponse): void {
    rejectedCount += 1
    request.resume()
    response.setHeader('connection', 'close')
    end(response, 403)
  }

  /** Said lately, and not before. */
  function isNew({ nonce, at }: ExchangeName): boolean {
    const now = Date.now()
    for (const [oldest, until] of seen) {
      if (until > now && seen.size < maxRemembered) break
      seen.delete(oldest)
    }
    if (Math.abs(now - at) > newestMs || seen.has(nonce)) return false
    seen.set(nonce, now + 2 * newestMs)
    return true
  }

  async function answer(
    name: ExchangeName,
    forward: Forward,
    response: ServerResponse,
  ): Promise<void> {
    const controller = new AbortController()
    const account = JSON.stringify([forward.caller.auth?.issuer, forward.caller.auth?.subject])
    let line = 0
    let requestCount = 0

    function say(message: ForwardLine): void {
      if (response.destroyed) return
      line += 1
      const encrypted = encrypt.encrypt(JSON.stringify(message), lineBoundTo(name, line))
      response.write(`${encrypted.toString('base64')}\n`)
      if (response.writableLength > maxUnread) response.destroy()
    }

    function ask(
      method: string,
      params: JsonObject | undefined,
      { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
    ): Promise<JsonObject> {
      requestCount += 1
      const inputRequest = requestCount
      const key = `${name.nonce} ${inputRequest}`
      return new Promise<JsonObject>((resolve, reject) => {
        const giveUp = (why: string) => () => reject(new RpcError('overloaded', why))
        const maxMs = Math.min(timeoutMs, 2 ** 31 - 1)
        const late = setTimeout(giveUp('the client did not answer in time'), maxMs)
        signal.addEventListener('abort', giveUp('it was given up'), { once: true })
        controller.signal.addEventListener('abort', giveUp('the client has gone'), { once: true })
        open.set(key, ({ result, error }) => {
          clearTimeout(late)
          if (result) resolve(result)
          else reject(readError(error))
        })
        say({ kind: 'ask', inputRequest, method, params })
      }).finally(() => open.delete(key))
    }

    response.on('close', () => controller.abort(new Error('the other process has gone')))
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.flushHeaders()
    const alive = setInterval(() => response.write('\n'), aliveMs)
    const running = counts.get(account) ?? 0
    counts.set(account, running + 1)
    try {
      if (total(counts) > maxForwards || running >= mostOfOne) {
        throw new RpcError('overloaded', 'this process does too much for others already')
      }
      const notify = (method: string, params: JsonObject): void =>
        say({ kind: 'notify', method, params })
      const done = await options.run(forward, { notify, ask, signal: controller.signal })
      say({ kind: 'answer', ...done })
    } catch (error) {
      say({ kind: 'failed', error: writeError(error, onError) })
    } finally {
      clearInterval(alive)
      const left = (counts.get(account) ?? 1) - 1
      if (left === 0) counts.delete(account)
      else counts.set(account, left)
      response.end()
    }
  }

  server.listen(options.port, options.host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return {
    address: `${host}:${port}`,
    get rejected() {
      return rejectedCount
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function total(counts: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count
  return sum
}

function end(response: ServerResponse, status: number): void {
  if (!response.destroyed) response.writeHead(status).end()
}

/** Undefined if there is more than may be. */
async function readBody(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export function readError(error: WrittenError | undefined): RpcError {
  const { code = 'internal_error', message = 'it failed', data } = error ?? {}
  return new RpcError(code, message, data === undefined ? {} : { data: data as never }) // as it was written
}

/** Writes an error: internal ones are reported here, others are sent to the caller. */
export function writeError(error: unknown, onError: OnError): WrittenError {
  if (isRpcError(error)) {
    const { code, message, data } = error
    return { code, message, ...(data !== undefined && { data }) }
  }
  onError(error, { severity: 'error', operation: 'forward' })
  return { code: 'internal_error', message: 'the process that has the server failed' }
}

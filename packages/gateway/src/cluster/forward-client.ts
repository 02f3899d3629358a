/**
 * Sends requests to the process of the gateway that has what they need (a child, or a session with a server), and passes back what
 * comes of them: progress, requests to the client, the result. The other end is `forward-listener.ts`.
 */

import { Agent, request, type IncomingMessage } from 'node:http'

import { loggingLevels, type LoggingLevel, type OnError } from '@parley/mcp'
import type { BackendCall } from '@parley/mcp/internal/relay'

import { readError, writeError, type Done } from './forward-listener.ts'
import type { Forward, ForwardedReply, ForwardLine } from './forward-messages.ts'
import type { ForwardCipher } from './forward-seal.ts'
import {
  boundTo,
  forwardHeader,
  lineBoundTo,
  nameExchange,
  writeName,
  type ExchangeName,
} from './forward-wire.ts'
import type { OtherProcess } from './places.ts'

/** The other process did not answer. */
export class ProcessDisconnected extends Error {
  /** It may have begun with it. */
  readonly wasSent: boolean

  constructor(wasSent: boolean, why: string) {
    super(why)
    this.wasSent = wasSent
  }
}

/** Has requests done by other processes. */
export interface ForwardClient extends Disposable {
  /** Throws `ProcessDisconnected`, or the `RpcError` that it was answered with. */
  send(to: OtherProcess, forward: Forward, call: BackendCall): Promise<Done>
}

const maxLineLength = 128 * 1024 * 1024

export function createForwardClient({
  node,
  encrypt,
  silentMs,
  onError,
}: {
  readonly node: string
  readonly encrypt: ForwardCipher
  /** A process that says nothing for so long is lost. */
  readonly silentMs: number
  readonly onError: OnError
}): ForwardClient {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64, timeout: 60_000 }) // before the other side closes

  function post(to: OtherProcess, path: string, name: ExchangeName, message: object) {
    const encrypted = encrypt.encrypt(JSON.stringify(message), boundTo(path, name))
    const [, host = '', port] = /^\[?(.*?)\]?:(\d+)$/.exec(to.address) ?? []
    const sent = request({
      agent,
      host,
      port,
      path,
      method: 'POST',
      headers: { [forwardHeader]: writeName(name), 'content-length': encrypted.length },
    })
    sent.end(encrypted)
    return sent
  }

  /** Sends an input request; the client's response goes back as a request of its own. */
  async function ask(
    to: OtherProcess,
    { nonce }: ExchangeName,
    { inputRequest, method, params }: Extract<ForwardLine, { readonly kind: 'ask' }>,
    call: BackendCall,
  ): Promise<void> {
    const about = { forward: nonce, inputRequest }
    const { caller } = call
    const limits = { timeoutMs: caller.limits.inputMs, signal: call.signal }
    const answer: ForwardedReply = await call
      .pauseTimeout(() => caller.request(method, params, limits))
      .then(
        (result) => ({ ...about, result }),
        (error: unknown) => ({ ...about, error: writeError(error, onError) }),
      )
    const sent = post(to, '/answer', nameExchange(node, to.node), answer)
    sent.on('response', (response) => response.resume())
    sent.on('error', () => undefined) // the forward itself breaks too
  }

  return {
    send(to, forward, call) {
      const name = nameExchange(node, to.node)
      return new Promise<Done>((resolve, reject) => {
        const sent = post(to, '/forward', name, forward)
        let isConnected = sent.reusedSocket
        let isOver = false

        function finish(finishRequest: () => void): void {
          if (isOver) return
          isOver = true
          clearTimeout(late)
          call.signal.removeEventListener('abort', onAbort)
          sent.destroy()
          finishRequest()
        }
        const lose = (why: string): void =>
          finish(() => reject(new ProcessDisconnected(isConnected, why)))
        const onAbort = (): void => finish(() => reject(call.signal.reason as Error)) // nobody waits for it
        const late = setTimeout(() => lose('it stopped responding'), silentMs)

        function hear(line: ForwardLine): void {
          switch (line.kind) {
            case 'notify':
              return notify(call, line.method, line.params)
            case 'ask':
              return void ask(to, name, line, call)
            case 'answer': {
              const { answer, isParked } = line
              return finish(() => resolve({ answer, isParked }))
            }
            case 'failed':
              return finish(() => reject(readError(line.error)))
          }
        }

        call.signal.addEventListener('abort', onAbort, { once: true })
        // It lasts until somebody ends it; all else is waited for.
        if (call.method === 'subscriptions/listen') {
          call.onDrain = () =>
            finish(() => resolve({ answer: { kind: 'raw', result: {} }, isParked: false }))
        }
        sent.on('socket', (socket) => {
          if (!socket.connecting) isConnected = true
          socket.once('connect', () => (isConnected = true))
        })
        sent.on('error', (error) => lose(error.message))
        sent.on('response', (response) => {
          if (response.statusCode !== 200) {
            response.resume()
            return lose(`it refused with ${response.statusCode}`)
          }
          readLines(response, {
            onBytes: () => late.refresh(),
            onLine(text, number) {
              const opened = encrypt.open(Buffer.from(text, 'base64'), lineBoundTo(name, number))
              if (opened === undefined) return lose('what it says was changed on the way')
              hear(JSON.parse(opened) as ForwardLine) // sealed by one of us
            },
            onEnd: () => lose('it ended before it had answered'),
          })
        })
      })
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}

/** Sends a notification as if the server had sent it here. */
function notify({ caller, isAborted, isEnded }: BackendCall, method: string, params: object): void {
  if (isAborted || isEnded) return
  if (method === 'notifications/message') {
    const { level } = params as { readonly level?: LoggingLevel } // -1 for anything else
    const least = caller.logLevel
    if (
      least === undefined ||
      loggingLevels.indexOf(level ?? least) < loggingLevels.indexOf(least)
    ) {
      return
    }
    if (!caller.mayLog()) return
  }
  caller.notify(method, params)
}

/** Lines that say something, with their numbers from 1. */
function readLines(
  response: IncomingMessage,
  {
    onBytes,
    onLine,
    onEnd,
  }: {
    onBytes(): void
    onLine(text: string, number: number): void
    onEnd(): void
  },
): void {
  let rest = ''
  let number = 0
  response.setEncoding('latin1')
  response.on('data', (chunk: string) => {
    onBytes()
    if (rest.length + chunk.length > maxLineLength) return void response.destroy()
    if (!chunk.includes('\n')) return void (rest += chunk)
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') continue
      number += 1
      onLine(line, number)
    }
  })
  response.on('error', () => onEnd())
  response.on('close', () => onEnd())
}

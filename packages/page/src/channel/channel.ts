/** The one WebSocket to the service: questions with answers, events, and coming back when it was lost. */

import type { ChannelMessage, ChannelMethods, Problem } from '@parley/foundation/channel'

import { askForTicket, enterWithSecret, NotAllowedError } from './enter.ts'

/** `refused`: this browser holds no valid cookie; only a new link from the terminal helps. */
export type ChannelStatus = 'connecting' | 'open' | 'lost' | 'refused'

/** What panels use to talk with the service. */
export interface Channel<Methods extends ChannelMethods<Methods>, Events> {
  /** Waits for the connection where there is none yet. Rejects with a `ChannelError`. */
  ask<M extends keyof Methods>(
    method: M,
    params: Methods[M]['params'],
  ): Promise<Methods[M]['result']>
  /** Returns what stops listening. */
  on<E extends keyof Events>(event: E, listener: (data: Events[E]) => void): () => void
  readonly status: ChannelStatus
  onStatus(listener: (status: ChannelStatus) => void): () => void
}

/** The service said no, or is gone; `problem` says what to do. */
export class ChannelError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.name = 'ChannelError'
    this.problem = problem
  }
}

interface Waiting {
  readonly text: string
  readonly resolve: (result: never) => void
  readonly reject: (error: ChannelError) => void
  isSent: boolean
}

/** Which channel to open. */
export interface ChannelOptions {
  /** The subprotocol of the service, such as `parley.inspector.1`. */
  readonly protocol: string
  /** The program behind the page, for words such as `the inspector was stopped`. */
  readonly program: string
}

/** Opens the page's channel: enters with the secret of the address, connects, and comes back when it was lost. */
export function createChannel<Methods extends ChannelMethods<Methods>, Events>({
  protocol,
  program,
}: ChannelOptions): Channel<Methods, Events> {
  const waiting = new Map<number, Waiting>()
  const listeners = new Map<PropertyKey, Set<(data: never) => void>>()
  const statusListeners = new Set<(status: ChannelStatus) => void>()
  let socket: WebSocket | undefined
  let status: ChannelStatus = 'connecting'
  let nextId = 1
  let attempts = 0

  function setStatus(next: ChannelStatus) {
    if (next === status) return
    status = next
    for (const listener of statusListeners) listener(next)
  }

  async function connect(): Promise<void> {
    try {
      await enterWithSecret()
      open(await askForTicket(protocol))
    } catch (error) {
      if (error instanceof NotAllowedError) {
        setStatus('refused')
        const message = `Open the link that the ${program} printed when it started.`
        failAll({ code: 'not_allowed', message })
      } else retry()
    }
  }

  function open({ url, protocols }: { url: URL; protocols: string[] }) {
    socket = new WebSocket(url, protocols)
    socket.addEventListener('open', () => {
      attempts = 0
      setStatus('open')
      for (const item of waiting.values()) if (!item.isSent) send(item)
    })
    socket.addEventListener('message', ({ data }) => receive(String(data)))
    socket.addEventListener('close', () => {
      socket = undefined
      failAll({
        code: 'service_lost',
        message: `The connection to the ${program} was lost before the answer came.`,
        hint: 'It reconnects automatically. Then try again.',
      })
      retry()
    })
  }

  function retry() {
    setStatus(attempts === 0 && status === 'connecting' ? 'connecting' : 'lost')
    const delayMs = Math.min(5000, 250 * 2 ** attempts)
    attempts++
    setTimeout(() => void connect(), delayMs)
  }

  function send(item: Waiting) {
    if (socket?.readyState !== WebSocket.OPEN) return
    item.isSent = true
    socket.send(item.text)
  }

  function receive(text: string) {
    // The service is the same program's other half; its messages are of these shapes.
    const message = JSON.parse(text) as ChannelMessage<{ [name: string]: unknown }>
    if ('event' in message) {
      const handlers = listeners.get(message.event)
      if (handlers) for (const listener of handlers) listener(message.data as never)
      return
    }
    const request = waiting.get(message.id)
    if (!request) return
    waiting.delete(message.id)
    if ('error' in message) request.reject(new ChannelError(message.error))
    else request.resolve(message.result as never) // typed by the method that was asked
  }

  /** What was sent can have been done or not; what was not sent waits for the next connection. */
  function failAll(problem: Problem) {
    for (const [id, value] of waiting) {
      if (!value.isSent && problem.code !== 'not_allowed') continue
      waiting.delete(id)
      value.reject(new ChannelError(problem))
    }
  }

  void connect()
  return {
    ask(method, params) {
      const id = nextId++
      return new Promise((resolve, reject) => {
        const request = {
          text: JSON.stringify({ id, method, params }),
          resolve,
          reject,
          isSent: false,
        }
        waiting.set(id, request)
        send(request)
      })
    },
    on(event, listener) {
      const handlers = listeners.get(event) ?? new Set()
      listeners.set(event, handlers.add(listener))
      return () => void handlers.delete(listener)
    },
    get status() {
      return status
    },
    onStatus(listener) {
      statusListeners.add(listener)
      return () => void statusListeners.delete(listener)
    },
  }
}

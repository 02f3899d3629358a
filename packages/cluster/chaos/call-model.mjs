/** One call, its stream and all its connections, as the client saw them. */

import { setTimeout as wait } from 'node:timers/promises'

import { begin } from './http-exchange.mjs'
import { createEventReader } from './sse-events.mjs'

/** @import { ClientRequest, IncomingMessage } from 'node:http' */

/**
 * @typedef {object} SeenEvent
 * @property {string} id
 * @property {string} data
 * @property {number} connection counted from 1
 */

/**
 * @typedef {object} CallRecord
 * @property {SeenEvent[]} events in the order they came, repeated ones too
 * @property {any} [answer] the response, wherever it came from
 * @property {number} startedAt
 * @property {number} [answeredAt]
 * @property {number} connections
 * @property {string[]} faults what went wrong on the way, and was tried again
 * @property {string} [refusal] why it was given up
 */

/**
 * @typedef {object} CallOptions
 * @property {readonly number[]} [cutAfter] numbers of events after which the client cuts its connection
 * @property {number} [giveUpMs]
 * @property {(event: SeenEvent, call: { cut(): void, pause(): void }) => void} [onEvent]
 * @property {(request: any) => void} [onRequest] the server asks
 */

/**
 * @typedef {object} OpenCall
 * @property {CallRecord} record as it is so far
 * @property {Promise<CallRecord>} done
 * @property {() => void} cut
 * @property {() => void} pause reads no more
 * @property {() => void} resume reads on
 */

const defaultRetryMs = 50

/**
 * @param {CallOptions & { url: string, headers: Record<string, string>, silenceMs: number, id: number, body: object }} options
 * @returns {OpenCall}
 */
export function createCallModel(options) {
  const {
    url,
    headers,
    silenceMs,
    id,
    body,
    cutAfter = [],
    giveUpMs = 60_000,
    onEvent,
    onRequest,
  } = options
  /** @type {CallRecord} */
  const record = { events: [], startedAt: performance.now(), connections: 0, faults: [] }
  /** @type {ClientRequest | undefined} */
  let connection
  let lastEventId = ''
  let retryMs = defaultRetryMs
  const cuts = new Set(cutAfter)

  /** @type {IncomingMessage | undefined} */
  let incoming
  const cut = () => void connection?.destroy()
  const pause = () => void incoming?.pause()

  /** @param {import('./sse-events.mjs').SseEvent} event */
  function take(event) {
    if (event.retryMs !== undefined) retryMs = event.retryMs
    if (event.id !== undefined) lastEventId = event.id
    if (!event.data || event.id === undefined) return
    const seen = { id: event.id, data: event.data, connection: record.connections }
    record.events.push(seen)
    const message = JSON.parse(event.data)
    if (message.id === id && message.method === undefined) finish(message)
    else if (message.id !== undefined && message.method !== undefined) onRequest?.(message)
    onEvent?.(seen, { cut, pause })
    if (cuts.delete(record.events.length)) cut()
  }

  /** @param {any} message */
  function finish(message) {
    record.answer ??= message
    record.answeredAt ??= performance.now()
  }

  /** One connection, to its end. @param {'POST' | 'GET'} method @returns {Promise<void>} */
  function connect(method) {
    record.connections += 1
    return new Promise((resolve) => {
      /** @type {NodeJS.Timeout | undefined} */
      let silence
      const hush = (waitMs = silenceMs) => {
        clearTimeout(silence)
        silence = setTimeout(cut, waitMs)
      }
      const fault = (/** @type {string} */ what) => {
        clearTimeout(silence)
        record.faults.push(`${method} ${what}`)
        resolve()
      }
      const position = method === 'GET' ? { 'last-event-id': lastEventId } : {}
      const sent = { url, method, headers: { ...headers, ...position } }
      connection = begin(
        method === 'POST' ? { ...sent, body: JSON.stringify({ jsonrpc: '2.0', ...body }) } : sent,
        {
          onError: (error) => fault(error.message),
          onResponse(response) {
            incoming = response
            hush()
            receive(response, hush)
            response.on('error', () => undefined) // it was cut
            response.once('close', () => {
              clearTimeout(silence)
              resolve()
            })
          },
        },
      )
      // A call whose first words are late cannot be made again; a stream can be read elsewhere.
      hush(method === 'POST' ? giveUpMs : silenceMs)
    })
  }

  /** @param {IncomingMessage} response @param {() => void} onBytes */
  function receive(response, onBytes) {
    const { statusCode = 0, headers: said } = response
    const isStream = said['content-type']?.startsWith('text/event-stream') === true
    let text = ''
    const read = createEventReader(take)
    response.setEncoding('utf8')
    response.on('data', (chunk) => {
      onBytes()
      if (isStream) read(String(chunk))
      else text += String(chunk)
    })
    response.once('end', () => {
      if (isStream) return
      if (statusCode === 200) return finish(JSON.parse(text))
      record.faults.push(`answered with ${statusCode}`)
      const isFinal = statusCode >= 400 && statusCode < 500
      if (isFinal) record.refusal = `${statusCode} ${text.slice(0, 300)}`
    })
  }

  async function follow() {
    const end = performance.now() + giveUpMs
    await connect('POST')
    while (record.answer === undefined && record.refusal === undefined) {
      if (lastEventId === '') {
        record.refusal = `nothing to resume: ${record.faults.join(', ')}`
      } else if (performance.now() > end) {
        record.refusal = `no end within ${giveUpMs} ms: ${record.faults.slice(-3).join(', ')}`
      } else {
        await wait(Math.min(retryMs, 1_000))
        await connect('GET')
      }
    }
    return record
  }

  return { record, done: follow(), cut, pause, resume: () => void incoming?.resume() }
}

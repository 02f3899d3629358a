/** HTTP as the client model needs it: nothing is retried, nothing is thrown. */

import { Agent, request } from 'node:http'

/** @import { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http' */

/**
 * @typedef {object} Sent
 * @property {string} url
 * @property {string} method
 * @property {Readonly<Record<string, string>>} headers
 * @property {string} [body]
 */

/**
 * @typedef {object} Answered
 * @property {number} status 0 if there was no answer
 * @property {IncomingHttpHeaders} headers
 * @property {string} text the body, or why there is none
 */

/** Kept connections: a load test would run out of ports. */
const agent = new Agent({ keepAlive: true, maxSockets: 2_000 })

/**
 * Starts an exchange and hands on the answer when its head is there.
 *
 * @param {Sent} sent
 * @param {{ onResponse(response: IncomingMessage): void, onError(error: Error): void }} hear
 * @returns {ClientRequest}
 */
export function begin({ url, method, headers, body }, { onResponse, onError }) {
  const started = request(url, {
    method,
    agent,
    headers: {
      accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
      ...headers,
    },
  })
  started.once('response', onResponse)
  started.on('error', onError)
  started.end(body)
  return started
}

/** A whole exchange. @param {Sent} sent @returns {Promise<Answered>} */
export function send(sent) {
  return new Promise((resolve) => {
    const failed = (/** @type {Error} */ error) =>
      resolve({ status: 0, headers: {}, text: error.message })
    begin(sent, {
      onError: failed,
      onResponse(response) {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => (text += String(chunk)))
        response.on('error', failed)
        response.on('close', () => {
          if (!response.complete) return failed(new Error('the answer broke off'))
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
        })
      },
    })
  })
}

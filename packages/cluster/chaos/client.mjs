/** A client of sessions that remembers everything it saw: which events, by which connection, when. */

import { createCallModel } from './call-model.mjs'
import { send } from './http-exchange.mjs'

/** @typedef {import('./call-model.mjs').CallOptions} CallOptions */
/** @typedef {ReturnType<typeof createClient>} Client */

/**
 * @typedef {object} ClientOptions
 * @property {string} url of the endpoint, usually the balancer's
 * @property {string} [user]
 * @property {string} [sessionId] of a session that is open already
 * @property {number} [silenceMs] a stream that says nothing for so long is read again by another connection
 */

const revision = '2025-11-25'

/** @param {ClientOptions} options */
export function createClient({ url, user, sessionId, silenceMs = 1_000 }) {
  let nextId = 1
  /** @type {Record<string, string>} */
  const headers = {
    ...(user !== undefined && { authorization: `Bearer ${user}` }),
    ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
    'mcp-protocol-version': revision,
  }

  /** @param {object} message */
  function post(message) {
    return send({
      url,
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  }

  /** A request that is answered at once; its answer, or what went wrong. @param {string} method @param {object} params */
  async function request(method, params) {
    const { status, text, headers: said } = await post({ id: nextId++, method, params })
    return { status, text, headers: said, message: status === 200 ? messageIn(text) : undefined }
  }

  return {
    headers,
    post,
    request,
    get sessionId() {
      return headers['mcp-session-id'] ?? ''
    },

    async open() {
      const {
        status,
        text,
        headers: said,
      } = await request('initialize', {
        protocolVersion: revision,
        capabilities: { elicitation: {} },
        clientInfo: { name: 'chaos', version: '1.0.0' },
      })
      const id = said['mcp-session-id']
      if (status !== 200 || typeof id !== 'string') throw new Error(`no session: ${status} ${text}`)
      headers['mcp-session-id'] = id
      const { status: accepted } = await post({ method: 'notifications/initialized' })
      if (accepted !== 202) throw new Error(`initialized: ${accepted}`)
      return this
    },

    /** Calls a tool that answers at once. @param {string} name @param {object} [args] */
    async ask(name, args = {}) {
      const { status, text, message } = await request('tools/call', { name, arguments: args })
      if (message?.result === undefined) throw new Error(`${name}: ${status} ${text.slice(0, 300)}`)
      return message.result
    },

    /** Calls a tool and follows its stream to the end, however often it is cut. @param {string} name @param {object} args @param {CallOptions} [options] */
    call(name, args, options = {}) {
      const id = nextId++
      const body = {
        id,
        method: 'tools/call',
        params: { name, arguments: args, _meta: { progressToken: id } },
      }
      return createCallModel({ url, headers: { ...headers }, silenceMs, id, body, ...options })
    },

    /** Answers a request of the server. @param {string | number} id @param {object} result */
    answer: (id, result) => post({ id, result }),

    end: () => send({ url, method: 'DELETE', headers }),
  }
}

/** The message in an answer, be it JSON or a stream. @param {string} text */
function messageIn(text) {
  const json = text.startsWith('{')
    ? text
    : (/^data: (\{.*"(?:result|error)".*)$/m.exec(text)?.[1] ?? '{}')
  return JSON.parse(json)
}

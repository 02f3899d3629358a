/** The calls that are traced: the other side is plain Node, so that only one side of ours is seen. */

import { once } from 'node:events'
import { createServer as createHttpServer, request } from 'node:http'
import { PassThrough } from 'node:stream'

/** @typedef {import('./marked-bundle.mjs').MarkedSdk} MarkedSdk */
/** @typedef {{ run(): Promise<void>, close(): Promise<void> }} PreparedCall */
/** @typedef {{ title: string, prepare(sdk: MarkedSdk): Promise<PreparedCall> }} Prepared */

const handshake = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'walk', version: '1.0.0' },
}
const params = { name: 'echo', arguments: { text: 'hello' } }
const modern = '2026-07-28'
const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': modern,
  'io.modelcontextprotocol/clientInfo': handshake.clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** @type {readonly Prepared[]} */
export const walks = [
  {
    title: 'stdio',
    async prepare(sdk) {
      const input = new PassThrough()
      const output = new PassThrough()
      const service = sdk.stdio.serveStdio(echoServer(sdk), { input, output, ownsProcess: false })
      let id = 0
      /** @param {string} method @param {object} given */
      async function ask(method, given) {
        input.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params: given })}\n`)
        await once(output, 'data')
      }
      await ask('initialize', handshake)
      input.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
      return {
        run: () => ask('tools/call', params),
        async close() {
          await service.drain({ deadlineMs: 0 })
        },
      }
    },
  },
  {
    title: 'HTTP, session',
    async prepare(sdk) {
      const service = await sdk.node.serveHttp(echoServer(sdk), { port: 0, ownsProcess: false })
      const version = { 'mcp-protocol-version': handshake.protocolVersion }
      const opened = await post(service.url, {}, { id: 0, method: 'initialize', params: handshake })
      const session = { ...version, 'mcp-session-id': String(opened.headers['mcp-session-id']) }
      await post(service.url, session, { method: 'notifications/initialized' })
      return httpCall(service, () =>
        post(service.url, session, { id: 1, method: 'tools/call', params }),
      )
    },
  },
  {
    title: 'HTTP, 2026-07-28',
    async prepare(sdk) {
      const service = await sdk.node.serveHttp(echoServer(sdk), { port: 0, ownsProcess: false })
      const headers = {
        'mcp-protocol-version': modern,
        'mcp-method': 'tools/call',
        'mcp-name': 'echo',
      }
      const message = { id: 1, method: 'tools/call', params: { ...params, _meta: modernMeta } }
      return httpCall(service, () => post(service.url, headers, message))
    },
  },
  {
    title: 'client over HTTP',
    async prepare(sdk) {
      const peer = createHttpServer((incoming, outgoing) => void answer(incoming, outgoing))
      peer.listen(0, '127.0.0.1')
      await once(peer, 'listening')
      const { port } = /** @type {import('node:net').AddressInfo} */ (peer.address())
      const client = await sdk.client.connect(`http://127.0.0.1:${port}/mcp`, {
        protocolVersion: '2025-11-25',
      })
      return {
        async run() {
          await client.callTool('echo', { text: 'hello' })
        },
        async close() {
          await client.close()
          peer.closeAllConnections()
          peer.close()
        },
      }
    },
  },
]

/** @param {MarkedSdk} sdk */
function echoServer({ server: { createServer } }) {
  const server = createServer({ name: 'walk', version: '1.0.0' })
  const inputSchema = /** @type {const} */ ({
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
  })
  server.tool('echo', { inputSchema }, (given) => JSON.stringify(given))
  return server
}

/**
 * @param {import('@parley/mcp/server').Service} service
 * @param {() => Promise<{ status: number | undefined, text: string }>} call
 * @returns {PreparedCall}
 */
function httpCall(service, call) {
  return {
    async run() {
      const { status, text } = await call()
      if (status !== 200 || !text.includes('hello')) throw new Error(`answered ${status}: ${text}`)
    },
    async close() {
      await service.drain({ deadlineMs: 0 })
    },
  }
}

/**
 * @param {URL} url
 * @param {Record<string, string>} headers
 * @param {object} message
 * @returns {Promise<{ status: number | undefined, headers: import('node:http').IncomingHttpHeaders, text: string }>}
 */
async function post(url, headers, message) {
  const outgoing = request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  })
  outgoing.end(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const [incoming] = /** @type {[import('node:http').IncomingMessage]} */ (
    await once(outgoing, 'response')
  )
  let text = ''
  for await (const chunk of incoming) text += chunk
  return { status: incoming.statusCode, headers: incoming.headers, text }
}

/** @param {import('node:http').IncomingMessage} incoming @param {import('node:http').ServerResponse} outgoing */
async function answer(incoming, outgoing) {
  let text = ''
  for await (const chunk of incoming) text += chunk
  const { id, method } = text === '' ? {} : JSON.parse(text)
  if (incoming.method !== 'POST') return outgoing.writeHead(405).end()
  if (id === undefined) return outgoing.writeHead(202).end()
  const result =
    method === 'initialize'
      ? {
          protocolVersion: handshake.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: handshake.clientInfo,
        }
      : { content: [{ type: 'text', text: 'hello' }] }
  return outgoing
    .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'walk' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
}

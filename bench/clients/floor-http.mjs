// The least a correct HTTP client can do by hand: a keep-alive agent and one request for each message.
import { Agent, request as httpRequest } from 'node:http'

/** Connects to a server that answers with plain JSON. */
export async function open({ url }) {
  const { hostname, port, pathname } = new URL(url)
  const target = { hostname, port, path: pathname, agent: new Agent({ keepAlive: true }) }
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2025-11-25',
  }
  let nextId = 1

  function exchange(method, body) {
    return new Promise((resolve, reject) => {
      const length = { 'content-length': Buffer.byteLength(body) }
      const outgoing = httpRequest({ ...target, method, headers: { ...headers, ...length } })
      outgoing.on('error', reject)
      outgoing.on('response', (response) => {
        const chunks = []
        response.on('error', reject)
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => resolve({ response, text: Buffer.concat(chunks).toString() }))
      })
      outgoing.end(body)
    })
  }

  async function request(method, params) {
    const message = { jsonrpc: '2.0', id: nextId++, method, params }
    const { response, text } = await exchange('POST', JSON.stringify(message))
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
    const { result, error } = JSON.parse(text)
    if (error !== undefined) throw new Error(error.message)
    return { result, response }
  }

  const { response } = await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'floor', version: '1.0.0' },
  })
  headers['mcp-session-id'] = response.headers['mcp-session-id']
  await exchange('POST', JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))

  return {
    call: async (text) =>
      (await request('tools/call', { name: 'echo', arguments: { text } })).result,
    close: () => exchange('DELETE', ''),
  }
}

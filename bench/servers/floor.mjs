// The hand-written server behind the floor contestants: text in, text out, no framing.
import { echoDescription, extraTools, largeText } from './workload.mjs'

const revisions = new Set(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])
const inputSchema = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
}
const names = ['echo', ...extraTools()]
const toolList = JSON.stringify({
  tools: [
    ...names.map((name) => ({ name, description: echoDescription, inputSchema })),
    { name: 'large', inputSchema: { type: 'object' } },
  ],
})

/** The reply to one text, or undefined when it asks for none. */
export function answer(text) {
  let message
  try {
    message = JSON.parse(text)
  } catch {
    return failure(null, -32700, 'not JSON')
  }
  return answerMessage(message)
}

/** The reply to one message, or undefined when it asks for none. */
export function answerMessage({ id, method, params }) {
  if (id === undefined) return undefined
  switch (method) {
    case 'tools/call':
      return callTool(id, params)
    case 'tools/list':
      return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${toolList}}`
    case 'initialize':
      return success(id, {
        protocolVersion: revisions.has(params.protocolVersion)
          ? params.protocolVersion
          : '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'floor', version: '1.0.0' },
      })
    case 'ping':
      return success(id, {})
    default:
      return failure(id, -32601, `unknown method: ${method}`)
  }
}

function callTool(id, { name, arguments: input }) {
  switch (name) {
    case 'echo':
      if (typeof input?.text !== 'string') return failure(id, -32602, 'text must be a string')
      return success(id, { content: [{ type: 'text', text: input.text }] })
    case 'large':
      return success(id, { content: [{ type: 'text', text: largeText }] })
    default:
      return failure(id, -32602, `unknown tool: ${name}`)
  }
}

function success(id, result) {
  return JSON.stringify({ jsonrpc: '2.0', id, result })
}

function failure(id, code, message) {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

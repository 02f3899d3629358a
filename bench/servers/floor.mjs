// The hand-written server behind the floor contestants: text in, text out, no framing.
import { listedSearch, searchTools } from './search-tool.mjs'
import { echoDescription, largeText, reports } from './workload.mjs'

const revisions = new Set(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])
const inputSchema = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
}
const tools = [
  { name: 'echo', description: echoDescription, inputSchema },
  ...searchTools().map((name) => ({ name, ...listedSearch })),
  { name: 'large', inputSchema: { type: 'object' } },
]
const pageSize = 1_000
const pages = Array.from({ length: Math.ceil(tools.length / pageSize) }, (_, page) => {
  const start = page * pageSize
  const nextCursor = start + pageSize < tools.length ? `${page + 1}` : undefined
  return JSON.stringify({ tools: tools.slice(start, start + pageSize), nextCursor })
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
      return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${pages[params?.cursor ?? 0]}}`
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
    case 'size':
      if (typeof input?.text !== 'string') return failure(id, -32602, 'text must be a string')
      return success(id, { content: [{ type: 'text', text: `${input.text.length}` }] })
    case 'report':
      return success(id, { content: [{ type: 'text', text: 'done' }] })
    default:
      return failure(id, -32602, `unknown tool: ${name}`)
  }
}

/** What `report` sends before its result, one by one. */
export function* progressOf({ params }) {
  const progressToken = params._meta?.progressToken
  if (params.name !== 'report' || progressToken === undefined) return
  for (let progress = 1; progress <= reports; progress++) {
    const method = 'notifications/progress'
    yield JSON.stringify({ jsonrpc: '2.0', method, params: { progressToken, progress } })
  }
}

function success(id, result) {
  return JSON.stringify({ jsonrpc: '2.0', id, result })
}

function failure(id, code, message) {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

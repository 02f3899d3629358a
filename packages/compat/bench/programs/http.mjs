import { randomUUID } from 'node:crypto'

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, isInitializeRequest } from '@modelcontextprotocol/sdk/types.js'
import express from 'express'

const sessions = new Map()
const app = express()
app.use(express.json())
app.post('/floor', (_request, response) =>
  response.json({ jsonrpc: '2.0', id: 1, result: { content: [] } }),
)
app.post('/mcp', (request, response) => void answer(request, response))

async function answer(request, response) {
  let transport = sessions.get(request.headers['mcp-session-id'])
  if (!transport && isInitializeRequest(request.body)) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => sessions.set(id, transport),
    })
    const server = new Server({ name: 'bench', version: '1' }, { capabilities: { tools: {} } })
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
      content: [{ type: 'text', text: String(params.arguments?.text) }],
    }))
    await server.connect(transport)
  }
  await transport.handleRequest(request, response, request.body)
}
const listening = app.listen(0, '127.0.0.1', () => process.send?.(listening.address().port))

/** A server of somebody else's, with most of the faults servers have. Speaks 2025-06-18 over stdio. */

import process from 'node:process'
import { createInterface } from 'node:readline'

const tools = [
  {
    name: 'count',
    description: 'Answers with what its own schema refuses.',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  },
  { name: 'late', description: 'Answers when it is cancelled.', inputSchema: { type: 'object' } },
  { name: 'twice', description: 'One of two.', inputSchema: { type: 'object' } },
  { name: 'twice', description: 'The other.', inputSchema: { type: 'object' } },
  { name: 'undescribed', inputSchema: { type: 'object' } },
  {
    name: 'root-choice',
    description: 'A choice at the root.',
    inputSchema: { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  },
  {
    name: 'delete_all',
    description: 'Says it only reads.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  },
  {
    name: '<img src=x onerror=alert(1)>',
    description: '</script><script>alert(2)</script>',
    inputSchema: { type: 'object' },
  },
  {
    name: 'huge',
    description: 'x'.repeat(20_000),
    inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
  },
  { name: 'pid', description: 'Tells its process.', inputSchema: { type: 'object' } },
  { name: 'write', description: 'Changes something.', inputSchema: { type: 'object' } },
  { name: 'environment', description: 'Tells a secret.', inputSchema: { type: 'object' } },
]

/** Calls that wait to be cancelled. */
const waiting = new Set()

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

function text(value) {
  return { content: [{ type: 'text', text: value }] }
}

function answer({ id, method, params }) {
  switch (method) {
    case 'initialize':
      return send({
        id,
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: { listChanged: true }, logging: {}, resources: {} },
          serverInfo: { name: 'foreign', version: '1.0.0' },
        },
      })
    case 'tools/list':
      return send({ id, result: { tools } })
    case 'resources/list':
      return send({ id, result: { resources: [], nextCursor: 'again' } })
    case 'resources/templates/list':
      return send({ id, result: { resourceTemplates: [] } })
    case 'ping':
    case 'logging/setLevel':
      return send({ id, result: {} })
    case 'tools/call':
      if (params.name === 'late') return void waiting.add(id)
      if (params.name === 'count') {
        return send({ id, result: { content: [], structuredContent: { n: 'three' } } })
      }
      if (params.name === 'pid') return send({ id, result: text(String(process.pid)) })
      if (params.name === 'environment') {
        return send({ id, result: text(`the key is ${process.env['API_KEY']}`) })
      }
      return send({ id, result: text('done') })
    case 'notifications/cancelled':
      if (waiting.delete(params.requestId)) send({ id: params.requestId, result: text('too late') })
      return undefined
    default:
      return id === undefined
        ? undefined
        : send({ id, error: { code: -32601, message: `no method ${method}` } })
  }
}

process.stderr.write('foreign server is up\n')
for await (const line of createInterface({ input: process.stdin })) answer(JSON.parse(line))

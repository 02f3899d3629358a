/**
 * A server in trouble, one kind for each tool: it dies in mid-call, says something on standard output, takes a question
 * back, floods its standard error. `--hang` never answers. Speaks 2025-06-18 over stdio.
 */

import process from 'node:process'
import { createInterface } from 'node:readline'

const waiting = new Map()
let count = 0

const names = ['die', 'roots', 'chatter', 'ask', 'withdraw', 'flood', 'wait', 'echo']
const tools = names.map((name) => ({
  name,
  description: `Shows what ${name} looks like.`,
  inputSchema: { type: 'object', properties: { value: { type: 'string' } } },
}))

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

/** Asks the client; what it answers goes to `then`. */
function ask(method, params, then) {
  const id = `asked-${(count += 1)}`
  waiting.set(id, then)
  send({ id, method, params })
  return id
}

function text(value) {
  return { content: [{ type: 'text', text: value }] }
}

const calls = {
  die() {
    process.stderr.write('about to give up\n')
    process.exit(3)
  },
  roots(id) {
    ask('roots/list', {}, (said) => send({ id, result: text(JSON.stringify(said)) }))
  },
  chatter(id) {
    process.stdout.write('Listening on port 3000\n')
    send({ id, result: text('said something else before') })
  },
  ask(id) {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
    const question = { message: 'Who are you?', requestedSchema }
    ask('elicitation/create', question, (said) => send({ id, result: text(JSON.stringify(said)) }))
  },
  /** Takes back everything it asked. */
  withdraw(id) {
    for (const requestId of waiting.keys()) {
      send({ method: 'notifications/cancelled', params: { requestId, reason: 'too slow' } })
    }
    send({ id, result: text('went on without') })
  },
  flood(id, { value = '20000' }) {
    const line = `${'noise '.repeat(10)}\n`
    for (let sent = 0; sent < Number(value); sent += 100) process.stderr.write(line.repeat(100))
    process.stderr.write('that was all\n', () => send({ id, result: text('flooded') }))
  },
  wait: () => undefined,
  echo: (id, { value = '' }) => send({ id, result: text(value) }),
}

function answer(message) {
  const { id, method, params = {} } = message
  if (method === undefined) {
    waiting.get(id)?.(message.result ?? message.error)
    return undefined
  }
  switch (method) {
    case 'initialize': {
      const serverInfo = { name: 'troubled', version: '1.0.0' }
      const capabilities = { tools: {}, logging: {} }
      return send({ id, result: { protocolVersion: '2025-06-18', capabilities, serverInfo } })
    }
    case 'tools/list':
      return send({ id, result: { tools } })
    case 'ping':
    case 'logging/setLevel':
      return send({ id, result: {} })
    case 'tools/call':
      return calls[params.name](id, params.arguments ?? {})
    default:
      if (id === undefined) return undefined
      return send({ id, error: { code: -32601, message: `no method ${method}` } })
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (!process.argv.includes('--hang')) answer(JSON.parse(line))
}

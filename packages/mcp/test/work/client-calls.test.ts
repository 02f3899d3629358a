import { createHook } from 'node:async_hooks'

import type { MessageSink, RawMessage, Transport } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { expect, test } from 'vitest'

test('a plain call takes two promises from the caller to the answer', async () => {
  const server = createAnswering()
  await using client = await connect(server.transport, { protocolVersion: '2025-11-25' })
  const held: Promise<unknown>[] = []
  let promises = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE') promises++
    },
  })

  hook.enable()
  for (let count = 0; count < 100; count++) held.push(client.callTool('echo', {}))
  hook.disable()
  server.resolveAll()
  const results = await Promise.all(held)

  expect(results).toHaveLength(100)
  expect(promises / 100).toBe(2)
})

/** A server that answers calls when it is told to. */
function createAnswering() {
  const waiting: unknown[] = []
  let sink: MessageSink | undefined
  const server = {
    resolveAll() {
      for (const id of waiting.splice(0)) answer(id, { content: [] })
    },
    transport: {
      messages: none(),
      receive: (given) => void (sink = given),
      send(message) {
        const { id, method } = message.value as { readonly id?: number; readonly method: string } // as the client writes them
        if (id === undefined) return
        if (method === 'initialize') queueMicrotask(() => answer(id, serverInfo))
        else waiting.push(id)
      },
      [Symbol.asyncDispose]: () => Promise.resolve(sink?.end()),
    } satisfies Transport,
  }
  return server

  function answer(id: unknown, result: object): void {
    void sink?.message({ jsonrpc: '2.0', id, result })
  }
}

const serverInfo = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'counted', version: '1.0.0' },
}

async function* none(): AsyncGenerator<RawMessage> {}

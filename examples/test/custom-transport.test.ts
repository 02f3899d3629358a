import { MessageChannel } from 'node:worker_threads'

import { supportedRevisions } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { serveTransport } from '@parley/mcp/server'
import { transportContract } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { createPortTransport } from '../custom-transport.ts'
import { createMemoryNotes, createNotesServer } from '../resources.ts'

function openPorts() {
  const { port1, port2 } = new MessageChannel()
  return [createPortTransport(port1), createPortTransport(port2)] as const
}

describe('the port transport', () => {
  for (const { name, run } of transportContract(async () => openPorts())) test(name, run)
})

test('a client and a server meet on two ports [CUST-01, CUST-02]', async () => {
  const [near, far] = openPorts()
  await using service = serveTransport(createNotesServer(createMemoryNotes({ a: 'b' })), far)
  const client = await connect(near)

  const { contents } = await client.readResource('notes://a')
  const { revision, transport } = client.negotiated
  await client.close()
  await service.closed

  expect(contents).toMatchObject([{ text: 'b' }])
  expect([revision, transport]).toEqual([supportedRevisions[0], 'custom'])
})

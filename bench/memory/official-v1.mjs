import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'

import { createWorkload } from '../servers/official-v1.mjs'

/** Connects to a server in this process. */
export async function open() {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await createWorkload().connect(serverSide)
  await client.connect(clientSide)
  return {
    call: (text) => client.callTool({ name: 'echo', arguments: { text } }),
    close: () => client.close(),
  }
}

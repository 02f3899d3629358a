import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** Connects to a server. */
export async function open({ url }) {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return {
    call: (text) => client.callTool({ name: 'echo', arguments: { text } }),
    close: () => client.close(),
  }
}

import { connect } from '@parley/mcp/client'

/** Connects to a server. */
export async function open({ url }) {
  const client = await connect(url)
  return { call: (text) => client.callTool('echo', { text }), close: () => client.close() }
}

import { connect } from '@parley/mcp/client'

/** Starts a server and connects to it. */
export async function open({ command, args }) {
  const client = await connect({ command, args })
  return { call: (text) => client.callTool('echo', { text }), close: () => client.close() }
}

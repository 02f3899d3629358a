import { connect } from '@parley/mcp/client'

import { createWorkload } from '../servers/parley.mjs'

/** Connects to the definition in this process. */
export async function open() {
  const client = await connect(createWorkload())
  return { call: (text) => client.callTool('echo', { text }), close: () => client.close() }
}

import { connect } from '@parley/mcp/client'

import { createWorkload } from '../servers/parley.mjs'

/** Connects to the definition in this process, in this revision or the newest. */
export async function open({ revision = 'auto' }) {
  const client = await connect(createWorkload(), { protocolVersion: revision })
  return { call: (text) => client.callTool('echo', { text }), close: () => client.close() }
}

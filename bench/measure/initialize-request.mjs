/** The first request of a session, in revision 2025-06-18, the newest that all contestants speak. */
export function initializeRequest(id) {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1.0.0' },
    },
  })
}

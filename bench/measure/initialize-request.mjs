/** The first request of a session, in revision 2025-11-25, the newest that all contestants speak. */
export function initializeRequest(id) {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1.0.0' },
    },
  })
}

// Sessions as the documentation of the official SDK has them: a server and a transport for each, found by its header.
import { randomUUID } from 'node:crypto'

/** A request listener; `connect` makes a transport with these options and connects a server to it. */
export function transportsBySession(connect) {
  const transports = new Map()

  return async (request, response) => {
    const id = request.headers['mcp-session-id']
    if (id === undefined) {
      const transport = await connect({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (sessionId) => transports.set(sessionId, transport),
        onsessionclosed: (sessionId) => transports.delete(sessionId),
      })
      await transport.handleRequest(request, response)
      return
    }
    const transport = transports.get(id)
    if (transport === undefined) response.writeHead(404).end()
    else await transport.handleRequest(request, response)
  }
}

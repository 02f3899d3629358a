import { createServer } from 'node:http'

import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

import { announce, isStateless } from './announce.mjs'
import { createWorkload } from './official-v1.mjs'
import { transportsBySession } from './transports-by-session.mjs'

async function connect(options) {
  const transport = new StreamableHTTPServerTransport(options)
  await createWorkload().connect(transport)
  return transport
}

/** Without sessions, a server and a transport for each request. */
async function answerOnce(request, response) {
  const transport = await connect({ sessionIdGenerator: undefined })
  response.on('close', () => transport.close())
  await transport.handleRequest(request, response)
}

const server = createServer(isStateless ? answerOnce : transportsBySession(connect))
server.listen(0, '127.0.0.1', () => announce(server.address().port))

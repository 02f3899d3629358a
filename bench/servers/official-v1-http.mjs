import { createServer } from 'node:http'

import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

import { announce, isGuarded, isStateless } from './announce.mjs'
import { createWorkload } from './official-v1.mjs'
import { transportsBySession } from './transports-by-session.mjs'
import { verifyAccessToken } from './verify-access-token.mjs'

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

const handle = isStateless ? answerOnce : transportsBySession(connect)
const guard = requireBearerAuth({ verifier: { verifyAccessToken } })
const server = createServer((request, response) => {
  if (isGuarded) void guard(request, response, () => handle(request, response))
  else void handle(request, response)
})
server.listen(0, '127.0.0.1', () => announce(server.address().port))

import { createServer } from 'node:http'

import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from '@modelcontextprotocol/node'
import { createMcpHandler, verifyBearerToken } from '@modelcontextprotocol/server'

import { announce, isGuarded, isStateless } from './announce.mjs'
import { createWorkload } from './official-v2.mjs'
import { transportsBySession } from './transports-by-session.mjs'
import { verifyAccessToken } from './verify-access-token.mjs'

async function connect(options) {
  const transport = new NodeStreamableHTTPServerTransport(options)
  await createWorkload().connect(transport)
  return transport
}

const isHostValid = localhostHostValidation()
const isOriginValid = localhostOriginValidation()
const handle = isStateless
  ? toNodeHandler(createMcpHandler(createWorkload))
  : transportsBySession(connect)
const server = createServer(async (request, response) => {
  if (!isHostValid(request, response) || !isOriginValid(request, response)) return
  if (isGuarded) {
    const { authorization } = request.headers
    request.auth = await verifyBearerToken(authorization, { verifier: { verifyAccessToken } })
  }
  await handle(request, response)
})
server.listen(0, '127.0.0.1', () => announce(server.address().port))

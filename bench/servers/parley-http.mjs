import { protect } from '@parley/auth/resource'
import { serveHttp } from '@parley/mcp/node'

import { announce, isGuarded, isStateless } from './announce.mjs'
import { createWorkload } from './parley.mjs'
import { bearerToken, guardedResource, tokenLifeMs } from './workload.mjs'

const issuer = 'https://issuer.example'
const auth = protect({ issuer, verify })

const { url } = await serveHttp(createWorkload(), {
  port: 0,
  ownProcess: false,
  sessions: isStateless ? 'off' : 'on',
  // Room for the largest message of the benchmark and its framing.
  limits: { messageBytes: 80 * 2 ** 20 },
  websocket: process.argv.includes('--websocket'),
  ...(isGuarded && { auth, url: guardedResource }),
})
announce(Number(url.port))

async function verify(token) {
  if (token !== bearerToken) return undefined
  return {
    issuer,
    subject: 'bench',
    clientId: 'bench',
    scopes: new Set(),
    audience: [guardedResource],
    expiresAt: Date.now() + tokenLifeMs,
    claims: {},
  }
}

import { oauthGuard } from '@parley/auth/resource'
import { serveHttp } from '@parley/mcp/node'

import { announce, isGuarded, isStateless } from './announce.mjs'
import { createWorkload } from './parley.mjs'
import { bearerToken, guardedResource, textFlag, tokenLifeMs } from './workload.mjs'

const issuer = 'https://issuer.example'
const auth = oauthGuard({ issuer, verify })
const shared = await openCluster(textFlag('--redis'))

const { url } = await serveHttp(createWorkload(), {
  port: 0,
  ownsProcess: false,
  sessions: isStateless ? 'off' : 'on',
  // Room for the largest message of the benchmark and its framing.
  limits: { messageBytes: 80 * 2 ** 20 },
  websocket: process.argv.includes('--websocket'),
  ...(isGuarded && { auth, url: guardedResource }),
  ...shared,
})
announce(Number(url.port))

/** What is shared with other processes, if a Redis is named. */
async function openCluster(redis) {
  if (redis === undefined) return {}
  const { createRedisCluster } = await import('@parley/cluster/redis')
  const secret = 'a secret of thirty-two characters or more'
  return { cluster: createRedisCluster({ url: redis, secret, leaseMs: 3_000 }) }
}

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

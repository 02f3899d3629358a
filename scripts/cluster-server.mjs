#!/usr/bin/env node
/** The everything server as one process of several; every answer says which one it came from. */

import { argv, env, pid } from 'node:process'

import { runProcesses } from '@parley/cluster/process'
import { createRedisCluster } from '@parley/cluster/redis'
import { serveHttp } from '@parley/mcp/node'
import { createEverythingServer } from '@parley/server-everything'

/** @import { StoreCluster } from '@parley/cluster' */

const secret = env['PARLEY_SECRET']
const processes = argv.indexOf('--processes')
if (processes === -1) {
  const cluster = createRedisCluster({ url: env['REDIS_URL'], secret, leaseMs: 3_000 })
  await serve(cluster)
} else {
  await runProcesses({ processes: Number(argv[processes + 1]), secret }, serve)
}

/** @param {StoreCluster} cluster */
async function serve(cluster) {
  const server = createEverythingServer({ extras: true, taskStore: cluster.tasks })
  server.use(async (_, next) => {
    const outcome = await next()
    if (outcome.resultType !== 'complete') return outcome
    const _meta = { ...outcome.result._meta, 'dev.parley/process': String(pid) }
    return { ...outcome, result: { ...outcome.result, _meta } }
  })
  const service = await serveHttp(server, { port: 0, cluster })
  console.log(`${pid} ${service.url.href}`)
  return service
}

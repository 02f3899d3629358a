#!/usr/bin/env node
/**
 * The server of the public conformance suite, at `/mcp` on loopback; `PORT` chooses the port. `CONFORMANCE_REDIS_URL` makes it
 * one of several processes.
 */

import { env } from 'node:process'

import { createRedisCluster } from '@parley/cluster/redis'
import { revisions } from '@parley/mcp'
import { serveHttp } from '@parley/mcp/node'

import { createFixtureServer } from './fixture/server.js'

const redis = env['CONFORMANCE_REDIS_URL']
const cluster =
  redis === undefined ? undefined : createRedisCluster({ url: redis, secret: env['PARLEY_SECRET'] })
const { url } = await serveHttp(createFixtureServer(cluster?.tasks), {
  port: Number(env['PORT'] ?? 3000),
  revisions,
  cluster,
})
console.log(url.href)

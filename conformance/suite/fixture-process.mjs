/** The fixture server as a process that ends with the run, or as several. */

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { env, execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import {
  findRedis,
  installRedis,
  startBalancer,
  startRedisProcess,
  startServerProcess,
} from '@parley/cluster/testing'
import { startBridge, startGateway } from '@parley/gateway'

import { UsageError } from './arguments.mjs'

const program = fileURLToPath(new URL('../server.js', import.meta.url))

/**
 * @typedef {object} FixtureServer
 * @property {string} url
 * @property {() => Promise<void>} stop
 */

/**
 * Starts it on a free port.
 *
 * @returns {Promise<FixtureServer>}
 */
export async function startFixtureServer() {
  const child = spawn(execPath, [program], {
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const url = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([line]) => String(line)),
    closed.then(([code]) => Promise.reject(new Error(`the server ended at once with ${code}`))),
  ])
  return {
    url,
    async stop() {
      child.kill('SIGKILL') // ending well is what other tests are about
      await closed
    },
  }
}

/**
 * Starts three of it that share a Redis, behind a balancer that gives each request to the next one.
 *
 * @returns {Promise<FixtureServer>}
 */
export async function startFixtureCluster() {
  if (findRedis() === undefined) {
    throw new UsageError(`--cluster needs redis-server: ${installRedis}`)
  }
  const redis = await startRedisProcess()
  const balancer = await startBalancer()
  const settings = {
    PORT: '0',
    CONFORMANCE_REDIS_URL: redis.url,
    PARLEY_SECRET: randomBytes(32).toString('base64url'),
  }
  const processes = await Promise.all(
    Array.from({ length: 3 }, () => startServerProcess(program, { env: settings })),
  )
  for (const { url } of processes) balancer.add(url)
  return {
    url: `${balancer.url}/mcp`,
    async stop() {
      await Promise.all(processes.map((one) => one[Symbol.asyncDispose]()))
      await balancer[Symbol.asyncDispose]()
      await redis[Symbol.asyncDispose]()
    },
  }
}

/**
 * Starts it behind a bridge that speaks with it in one era, whatever the client speaks.
 *
 * @param {'legacy' | 'modern'} protocolVersion
 * @returns {Promise<FixtureServer>}
 */
export async function startFixtureBridge(protocolVersion) {
  const server = await startFixtureServer()
  const bridge = await startBridge({
    from: { url: server.url },
    to: 'http',
    port: 0,
    protocolVersion,
    onError: () => undefined, // the suite sends what is wrong
  })
  return {
    url: String(bridge.url),
    async stop() {
      await bridge.close({ deadlineMs: 0 })
      await server.stop()
    },
  }
}

/**
 * Starts it as the only server of a gateway, which calls everything as the server does.
 *
 * @param {'legacy' | 'modern'} protocolVersion
 * @returns {Promise<FixtureServer>}
 */
export async function startFixtureGateway(protocolVersion) {
  const server = await startFixtureServer()
  const gateway = await startGateway({
    servers: { fixture: { url: server.url, protocolVersion } },
    naming: 'manual',
    port: 0,
    firstListMs: 60_000,
    onError: () => undefined, // the suite sends what is wrong
  })
  return {
    url: String(gateway.url),
    async stop() {
      await gateway.close({ deadlineMs: 0 })
      await server.stop()
    },
  }
}

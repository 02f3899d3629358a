import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

import { createRedisCluster } from '@parley/cluster/redis'
import { serveHttp, type HttpService } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { serverTasks } from '@parley/mcp/tasks'
import { z } from 'zod'

/** What the environment of each process says. */
export interface Environment {
  readonly [name: string]: string | undefined
}

/** One of any number of equal processes behind a balancer: see README.md. */
export async function startServer(environment: Environment): Promise<HttpService> {
  const { REDIS_URL, SECRET_FILE, PUBLIC_URL, HOST, PORT, TRUSTED_PROXIES } = environment

  const cluster = createRedisCluster({
    url: REDIS_URL ?? 'redis://127.0.0.1:6379',
    // Asked with every heartbeat: whoever changes the file needs to restart nothing.
    secret: () => readSecrets(SECRET_FILE),
    onMetric: ({ name, value }) => {
      if (name === 'takeovers' || name === 'leaseMisses') console.error(name, value)
    },
  })

  const server = createServer({
    name: 'clock',
    version: '1.0.0',
    extensions: [serverTasks({ store: cluster.tasks })],
  })
  server.tool('where', {}, () => `${hostname()}, process ${process.pid}`)
  server.tool(
    'count',
    { inputSchema: z.object({ to: z.number().int().max(60) }) },
    async ({ to }, context) => {
      for (let progress = 1; progress <= to; progress += 1) {
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        await context.progress({ progress, total: to })
      }
      return `counted to ${to} in process ${process.pid}`
    },
  )

  return serveHttp(server, {
    cluster,
    url: PUBLIC_URL,
    host: HOST,
    port: Number(PORT ?? 3000),
    trustedProxies: TRUSTED_PROXIES?.split(','),
    allowAnonymous: true, // an example: a real one has `auth`
    drainMs: 20_000,
  })
}

/** One secret on each line. The first seals, all open. */
function readSecrets(file: string | undefined): readonly string[] {
  if (file === undefined) throw new Error('SECRET_FILE is not set: name a file with the secret')
  return readFileSync(file, 'utf8').split('\n').filter(Boolean)
}

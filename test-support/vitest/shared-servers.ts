import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { env } from 'node:process'

/** Servers that all tests of a run may share, by the name under which `sharedServer` asks for them. */
const starts = {
  postgres: async () => {
    const { ownPostgres } = await import('../postgres-server.ts')
    const server = await ownPostgres({ connections: 400 })
    return { address: server.connectionString, close: () => server[Symbol.asyncDispose]() }
  },
  redis: async () => {
    const { ownRedis } = await import('../redis-server.ts')
    const server = await ownRedis()
    return { address: server.url, close: () => server[Symbol.asyncDispose]() }
  },
}

type Name = keyof typeof starts

/**
 * The main process of a run starts a server when the first test asks for it, in whichever worker that is, and ends it after the
 * last test. It answers with the address over HTTP on loopback, so no worker has to outlive another one.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (env['PARLEY_SHARED_SERVERS'] !== undefined) return undefined // another project of this run has done it
  const started = new Map<Name, ReturnType<(typeof starts)[Name]>>()

  async function addressOf(name: string): Promise<string> {
    if (!isName(name)) throw new TypeError(`there is a shared postgres and redis, no ${name}`)
    const server = started.get(name) ?? starts[name]()
    started.set(name, server)
    return (await server).address
  }

  const service = createServer((request, response) => {
    addressOf((request.url ?? '').slice(1)).then(
      (address) => response.end(address),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => service.once('listening', resolve))
  const { port } = service.address() as AddressInfo // it listens on a port
  env['PARLEY_SHARED_SERVERS'] = `http://127.0.0.1:${port}`

  return async () => {
    delete env['PARLEY_SHARED_SERVERS']
    service.close()
    service.closeAllConnections()
    for (const server of await Promise.allSettled(started.values())) {
      if (server.status === 'fulfilled') await server.value.close()
    }
  }
}

function isName(name: string): name is Name {
  return Object.hasOwn(starts, name)
}

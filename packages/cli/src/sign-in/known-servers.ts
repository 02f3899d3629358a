import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { StoreKey } from '@parley/auth/client'
import { writePrivateFile } from '@parley/foundation/files'
import { stateFolder } from '@parley/foundation/secrets'
import { parseUrl } from '@parley/mcp/address'

import type { Io } from '../io.ts'

/** A server somebody signed in to, and where its grants are kept. No secrets. */
export interface KnownServer {
  readonly url: string
  readonly at: number
  readonly keys: readonly StoreKey[]
}

/** The list of servers somebody signed in to; token stores cannot be asked what they hold. */
export interface KnownServers {
  list(): Promise<readonly KnownServer[]>
  get(url: string): Promise<KnownServer | undefined>
  add(url: string, key?: StoreKey): Promise<void>
  remove(url: string): Promise<boolean>
}

export function createKnownServers({ env }: Pick<Io, 'env'>): KnownServers {
  const file = join(stateFolder({ env }), 'signed-in.json')

  async function read(): Promise<readonly KnownServer[]> {
    try {
      const value: unknown = JSON.parse(await readFile(file, 'utf8'))
      return Array.isArray(value) ? (value as readonly KnownServer[]) : [] // only we write it
    } catch {
      return [] // nobody signed in yet
    }
  }

  function write(servers: readonly KnownServer[]): Promise<void> {
    return writePrivateFile(file, `${JSON.stringify(servers, null, 2)}\n`)
  }

  return {
    list: read,
    async get(url) {
      return (await read()).find((server) => server.url === normal(url))
    },
    async add(url, key) {
      const servers = await read()
      const existing = servers.find((server) => server.url === normal(url))
      const keys = [...(existing?.keys ?? []), ...(key === undefined ? [] : [key])]
      const unique = [...new Map(keys.map((each) => [JSON.stringify(each), each])).values()]
      const others = servers.filter((server) => server !== existing)
      await write([...others, { url: normal(url), at: Date.now(), keys: unique }])
    },
    async remove(url) {
      const servers = await read()
      const others = servers.filter((server) => server.url !== normal(url))
      if (others.length !== servers.length) await write(others)
      return others.length !== servers.length
    },
  }
}

function normal(url: string): string {
  return parseUrl(url)?.href ?? url
}

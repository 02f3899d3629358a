import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { StoreKey } from '@parley/auth/client'
import { writePrivateFile } from '@parley/foundation/files'
import { stateFolder } from '@parley/foundation/secrets'
import { parseUrl } from '@parley/mcp/address'

import type { Io } from '../io.ts'

/** A server somebody signed in to, and where its grants are kept. No secrets. */
export interface ListedServer {
  readonly url: string
  readonly at: number
  readonly keys: readonly StoreKey[]
}

/** The list of servers somebody signed in to; token stores cannot be asked what they hold. */
export interface ServerList {
  list(): Promise<readonly ListedServer[]>
  get(url: string): Promise<ListedServer | undefined>
  add(url: string, key?: StoreKey): Promise<void>
  remove(url: string): Promise<boolean>
}

export function createServerList({ env }: Pick<Io, 'env'>): ServerList {
  const file = join(stateFolder({ env }), 'signed-in.json')

  async function read(): Promise<readonly ListedServer[]> {
    try {
      const value: unknown = JSON.parse(await readFile(file, 'utf8'))
      return Array.isArray(value) ? (value as readonly ListedServer[]) : [] // only we write it
    } catch {
      return [] // nobody signed in yet
    }
  }

  function write(servers: readonly ListedServer[]): Promise<void> {
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

import { realpath } from 'node:fs/promises'

import type { RecordExchange } from '../brokers/record-exchange.ts'
import { allowedRoots, pathOf } from './allowed-roots.ts'
import type { ServerConnection } from './connection.ts'
import { failureReason } from './failure-reason.ts'
import type { HostServer } from './host-server.ts'

/** The folders that servers are told to work in, and the audit of it. */
export interface SharedRoots {
  /** Those that this server is told of. */
  of(server: HostServer): readonly string[]
  /** Writes down that it was told of them. Never rejects: they are told already when this fails. */
  record(server: HostServer): Promise<void>
  /** Replaces those of servers without their own, and tells the ones that are connected. */
  replace(roots: readonly string[]): Promise<void>
}

interface Parts {
  readonly roots: readonly string[]
  /** No server is told of these, nor of what lies within. */
  readonly excluded: readonly string[]
  readonly record: RecordExchange
  readonly onProblem: (server: string, message: string) => void
  /** The connections as they are now. */
  readonly connections: readonly ServerConnection[]
  /** Aborts when the host closes: the folders are not looked at any more. */
  readonly closed: AbortSignal
}

/** How often the folders are looked at. Watching a folder would not say that it was moved, or that its parent was. */
const lookEveryMs = 2_000

export function createSharedRoots(parts: Parts): SharedRoots {
  const { excluded, onProblem, connections, closed } = parts
  let { roots } = parts
  /** Where each folder that was looked at leads; undefined where there is none. */
  let seen = new Map<string, string | undefined>()
  /** Folders that were there, and are not. One that never was is told: a server may make it. */
  let removedRoots = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let looks = 0
  /** False while there is no folder to look at. */
  let isWatching = false

  function of(server: HostServer): readonly string[] {
    return allowedRoots(server.roots ?? roots, excluded).filter(
      (root) => !removedRoots.has(root) && !isExcluded(seen.get(root)),
    )
  }

  closed.addEventListener('abort', () => clearTimeout(timer), { once: true })

  /** Looks at the folders now, and then again and again. */
  async function look(): Promise<void> {
    const mine = ++looks
    isWatching = true
    const watched = new Set(connections.flatMap(({ server }) => server.roots ?? roots))
    const found = await Promise.all(
      [...watched].map(async (root) => [root, await realPathOf(root)] as const),
    )
    const changed = new Set(
      found.flatMap(([root, real]) => {
        const isOther = seen.has(root) ? seen.get(root) !== real : isExcluded(real)
        return isOther ? [root] : []
      }),
    )
    removedRoots = new Set(
      found.flatMap(([root, real]) => {
        const wasThere = seen.get(root) !== undefined || removedRoots.has(root)
        return real === undefined && wasThere ? [root] : []
      }),
    )
    seen = new Map(found)
    if (changed.size > 0) {
      const isTold = ({ server }: ServerConnection) =>
        (server.roots ?? roots).some((root) => changed.has(root))
      await tell(connections.filter(isTold))
    }
    if (mine !== looks || closed.aborted) return
    isWatching = watched.size > 0
    if (isWatching) timer = setTimeout(() => void look(), lookEveryMs).unref()
  }

  function isExcluded(real: string | undefined): boolean {
    return real !== undefined && allowedRoots([real], excluded).length === 0
  }

  /** Never rejects: a server that cannot be told asks when it is connected again. */
  async function tell(those: readonly ServerConnection[]): Promise<void> {
    const connected = those.flatMap(({ client, server }) =>
      client === undefined ? [] : [{ client, server }],
    )
    await Promise.all(
      connected.map(async ({ client, server }) => {
        try {
          await client.setRoots(of(server))
        } catch (error) {
          const why = failureReason(error)
          return onProblem(server.name, `it was not told that folders changed: ${why}`)
        }
        await write(server)
      }),
    )
  }

  async function record(server: HostServer): Promise<void> {
    if (!isWatching) void look()
    await write(server)
  }

  async function write(server: HostServer): Promise<void> {
    const previous = of(server)
    if (previous.length === 0) return
    const { name } = server
    const message = `told of the folders ${previous.join(', ')}`
    try {
      await parts.record({ kind: 'roots', server: name, decision: 'allow', message })
    } catch (error) {
      const why = failureReason(error)
      onProblem(name, `the folders it was told of were not written to the audit: ${why}`)
    }
  }

  return {
    of,
    record,
    async replace(next) {
      roots = next
      clearTimeout(timer)
      await look()
      const affected = connections.flatMap(({ client, server }) =>
        client === undefined || server.roots !== undefined ? [] : [{ client, server }],
      )
      await Promise.all(affected.map(({ client, server }) => client.setRoots(of(server))))
      for (const { server } of affected) await record(server)
    },
  }
}

async function realPathOf(root: string): Promise<string | undefined> {
  const path = pathOf(root)
  try {
    return path && (await realpath(path))
  } catch {
    return undefined // it is not there, or nobody may see it
  }
}

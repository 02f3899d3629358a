import { realpath } from 'node:fs/promises'

import type { RecordExchange } from '../brokers/server-request-gate.ts'
import { allowedRoots, pathOf } from './allowed-roots.ts'
import type { ServerConnection } from './connection.ts'
import { failureReason } from './failure-reason.ts'
import type { HostServer } from './host-server.ts'

/** The folders that are shared with servers as roots, and the audit of that. */
export interface SharedRoots {
  /** The folders of this server. */
  of(server: HostServer): readonly string[]
  /** Writes to the audit that the server got them. Never rejects: they have been shared already. */
  record(server: HostServer): Promise<void>
  /** Replaces the folders of servers without their own, and notifies the connected ones. */
  replace(roots: readonly string[]): Promise<void>
}

interface Parts {
  readonly roots: readonly string[]
  /** Folders that are never shared, nor anything within. */
  readonly excluded: readonly string[]
  readonly record: RecordExchange
  readonly onProblem: (server: string, message: string) => void
  /** The connections as they are now. */
  readonly connections: readonly ServerConnection[]
  /** Aborts when the host closes: the folders are no longer watched. */
  readonly closed: AbortSignal
}

/** How often the folders are looked at. Watching a folder would not say that it was moved, or that its parent was. */
const lookEveryMs = 2_000

export function createSharedRoots(parts: Parts): SharedRoots {
  const { excluded, onProblem, connections, closed } = parts
  let { roots } = parts
  /** The real path of each folder that was checked; undefined if it does not exist. */
  let seen = new Map<string, string | undefined>()
  /** Folders that have disappeared. One that never existed is shared: a server may create it. */
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
      const isNotified = ({ server }: ServerConnection) =>
        (server.roots ?? roots).some((root) => changed.has(root))
      await notify(connections.filter(isNotified))
    }
    if (mine !== looks || closed.aborted) return
    isWatching = watched.size > 0
    if (isWatching) timer = setTimeout(() => void look(), lookEveryMs).unref()
  }

  function isExcluded(real: string | undefined): boolean {
    return real !== undefined && allowedRoots([real], excluded).length === 0
  }

  /** Never rejects: a server that cannot be notified reads the roots when it is connected again. */
  async function notify(those: readonly ServerConnection[]): Promise<void> {
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
    return undefined // it does not exist, or cannot be read
  }
}

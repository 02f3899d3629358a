import type { RecordExchange } from '../brokers/record-exchange.ts'
import { allowedRoots } from './allowed-roots.ts'
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
  replace(roots: readonly string[], connections: readonly ServerConnection[]): Promise<void>
}

interface Parts {
  readonly roots: readonly string[]
  /** No server is told of these, nor of what lies within. */
  readonly excluded: readonly string[]
  readonly record: RecordExchange
  readonly onProblem: (server: string, message: string) => void
}

export function createSharedRoots(parts: Parts): SharedRoots {
  const { excluded, onProblem } = parts
  let { roots } = parts

  function of(server: HostServer): readonly string[] {
    return allowedRoots(server.roots ?? roots, excluded)
  }

  async function record(server: HostServer): Promise<void> {
    const told = of(server)
    if (told.length === 0) return
    const { name } = server
    const message = `told of the folders ${told.join(', ')}`
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
    async replace(next, connections) {
      roots = next
      const told = connections.flatMap(({ client, server }) =>
        client === undefined || server.roots !== undefined ? [] : [{ client, server }],
      )
      await Promise.all(told.map(({ client, server }) => client.setRoots(of(server))))
      for (const { server } of told) await record(server)
    },
  }
}

import nodeCluster from 'node:cluster'
import { availableParallelism } from 'node:os'

import { McpError } from '../../../rpc/errors/mcp-error.ts'
import { ownsProcess } from '../../stdio/own-process.ts'
import { invalidOption } from '../admission/public-options.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { HttpService, ServeHttpOptions } from './serve-http.ts'

/** The part of `@parley/cluster/process` that is used here. */
interface ProcessModule {
  serveProcesses(
    options: {
      readonly processes: number
      readonly cluster?: Cluster | undefined
      readonly drainMs: number
    },
    serve: (cluster: Cluster) => Promise<HttpService>,
  ): Promise<HttpService>
}

/**
 * In the parent: starts this program once for each process, and stands for all of them. In a child: serves. `serve` serves
 * in this process alone.
 */
export async function serveProcesses(
  { processes = 'auto', ...options }: ServeHttpOptions,
  serve: (options: ServeHttpOptions) => Promise<HttpService>,
): Promise<HttpService> {
  const count = countOf(processes)
  if (count === 1 && nodeCluster.isPrimary) return serve(options)
  const { drainMs = 10_000, cluster } = options
  const { serveProcesses: run } = await loadProcesses()
  const service = await run({ processes: count, cluster, drainMs }, (shared) =>
    serve({ ...options, cluster: shared }),
  )
  if (nodeCluster.isPrimary && (options.ownsProcess ?? true)) {
    ownsProcess(service, { parentPollMs: 0 })
  }
  return service
}

function countOf(processes: number | 'auto'): number {
  const count = processes === 'auto' ? availableParallelism() : processes
  if (Number.isInteger(count) && count >= 1 && count <= 1_024) return count
  throw invalidOption(
    'processes',
    `processes ${String(processes)} is out of range: use 1 to 1024, or 'auto' for one per core`,
  )
}

/** By a name that bundlers do not follow: the package depends on this one, and few servers need it. */
async function loadProcesses(): Promise<ProcessModule> {
  const name = '@parley/cluster/process'
  try {
    return (await import(name)) as ProcessModule // as that package exports it
  } catch (cause) {
    throw new McpError(
      'unsupported_runtime',
      'serving from several processes needs the package @parley/cluster',
      { details: { needs: '@parley/cluster' }, hint: 'npm install @parley/cluster', cause },
    )
  }
}

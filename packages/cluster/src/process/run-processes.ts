import nodeCluster from 'node:cluster'
import process from 'node:process'

import type { Cluster } from '@parley/mcp/http'
import type { HttpService } from '@parley/mcp/node'

import type { StoreCluster } from '../cluster/create-cluster.ts'
import { joinParent, runChild } from './child.ts'
import { childMark, startProcesses, type Processes, type ProcessesOptions } from './parent.ts'

/**
 * Runs `work` in several processes of this machine that share a port and a store, without any other program. The parent
 * starts this program once for each of them and holds the store; it resolves when all have ended, and rejects if one ends
 * before it has begun. A child resolves with `work`, which should return the service it made, so that it can be drained.
 * A process that ends unasked later is started again. SIGTERM and SIGINT drain all; a second one kills them.
 */
export async function runProcesses(
  options: ProcessesOptions,
  work: (cluster: StoreCluster) => Promise<unknown>,
): Promise<void> {
  claimProcesses()
  if (!nodeCluster.isPrimary) {
    const cluster = await joinParent(options)
    await cluster.start()
    await runChild(cluster, () => work(cluster))
    return
  }
  const processes = startProcesses(options)
  const release = endOnSignals(processes)
  try {
    await processes.serving
    await processes.closed
  } finally {
    release()
    isClaimed = false
  }
}

/** The options of `serveHttp` with `processes`. */
export interface ServeProcessesOptions extends ProcessesOptions {
  /** Between all processes, instead of a store in the parent. */
  readonly cluster?: Cluster | undefined
  /** How long calls may go on when the service ends, in milliseconds. */
  readonly drainMs: number
}

/**
 * For `serveHttp(server, { processes })`: in a child, what `serve` gives; in the parent, a service that stands for all
 * children, when all of them listen.
 */
export async function serveProcesses(
  { cluster, drainMs, ...options }: ServeProcessesOptions,
  serve: (cluster: Cluster) => Promise<HttpService>,
): Promise<HttpService> {
  claimProcesses()
  if (!nodeCluster.isPrimary) return runChild(cluster ?? (await joinParent(options)), serve)
  const processes = startProcesses(options)
  const url = await processes.serving
  void processes.closed.then(() => (isClaimed = false))
  const drain: HttpService['drain'] = ({ deadlineMs = drainMs } = {}) => processes.drain(deadlineMs)
  return {
    url: new URL(url ?? ''),
    health: processes.health,
    drain,
    closed: processes.closed,
    [Symbol.asyncDispose]: async () => void (await drain()),
  }
}

let isClaimed = false

/** There is one channel between a parent and a child, and a program is started for one purpose. */
function claimProcesses(): void {
  if (isClaimed) {
    throw new Error(
      'this program runs in several processes already: give `processes` to one server, or serve all inside one `runProcesses`',
    )
  }
  if (!nodeCluster.isPrimary && process.env[childMark] === undefined) {
    throw new Error(
      'another program, for example pm2, started this one with node:cluster: leave `processes` out, or let that program start one process',
    )
  }
  isClaimed = true
}

function endOnSignals(processes: Processes): () => void {
  let isRequested = false
  const end = (): void => {
    if (isRequested) return processes.kill()
    isRequested = true
    void processes.drain()
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  return () => {
    process.off('SIGTERM', end)
    process.off('SIGINT', end)
  }
}

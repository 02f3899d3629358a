import nodeCluster, { type Worker } from 'node:cluster'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

import { createCluster, type ClusterOptions, type StoreCluster } from '../cluster/create-cluster.ts'
import { createMemoryStore } from '../memory/memory-store.ts'
import { channelToChild, channelToParent } from './process-channels.ts'
import { createRemoteStore, type RemoteStoreOptions } from './remote-store.ts'
import { serveStore } from './serve-store.ts'
import { makeSharedSecret, sharedSecret } from './shared-secret.ts'

/** How many processes, and what they share. */
export interface ProcessesOptions extends ClusterOptions, RemoteStoreOptions {
  /** @defaultValue 'auto', one for each core */
  readonly processes?: number | 'auto' | undefined
  /** Hears of a process that ended unasked and is started again. @defaultValue a line on standard error */
  readonly onLost?: ((lost: LostProcess) => void) | undefined
}

/** A process that ended unasked. */
export interface LostProcess {
  readonly pid: number | undefined
  readonly code: number | null
  readonly signal: string | null
}

const firstWaitMs = 100
const longestWaitMs = 10_000
/** A process that ran for so long did not fail to start. */
const steadyMs = 30_000

/**
 * Runs `work` in several processes of this machine that share a port and a store, without any other program. The parent
 * starts this program once for each of them and holds the store; it resolves when all have ended. A child resolves with
 * `work`. SIGTERM and SIGINT are passed on, and a process that ends unasked is started again.
 */
export async function runProcesses(
  options: ProcessesOptions,
  work: (cluster: StoreCluster) => Promise<unknown>,
): Promise<void> {
  if (nodeCluster.isPrimary) return runParent(options)
  const store = createRemoteStore(channelToParent(), options)
  await store.start()
  const { secret = await sharedSecret(store) } = options
  const cluster = createCluster(store, { ...options, secret })
  await cluster.start()
  await work(cluster)
}

async function runParent({
  processes = 'auto',
  onLost = printLost,
}: ProcessesOptions): Promise<void> {
  const count = processes === 'auto' ? availableParallelism() : processes
  if (!Number.isInteger(count) || count < 1 || count > 1_024) {
    throw new Error(`processes ${count} is out of range: use 1 to 1024, or 'auto'`)
  }
  const store = createMemoryStore()
  await makeSharedSecret(store)
  const running = new Set<Worker>()
  let isEnding = false

  function passOn(signal: NodeJS.Signals): void {
    isEnding = true
    for (const worker of running) worker.process.kill(signal)
  }

  /** One place among the processes: the same program, again and again until it ends by itself. */
  async function keepRunning(): Promise<void> {
    for (let waitMs = firstWaitMs; !isEnding; waitMs = Math.min(longestWaitMs, waitMs * 2)) {
      const startedAt = performance.now()
      const worker = nodeCluster.fork()
      running.add(worker)
      serveStore(store, channelToChild(worker))
      const lost = await ended(worker)
      running.delete(worker)
      if (isEnding || lost.code === 0) return
      onLost(lost)
      if (performance.now() - startedAt > steadyMs) waitMs = firstWaitMs
      await sleep(waitMs)
    }
  }

  process.on('SIGTERM', passOn)
  process.on('SIGINT', passOn)
  try {
    await Promise.all(Array.from({ length: count }, keepRunning))
  } finally {
    process.off('SIGTERM', passOn)
    process.off('SIGINT', passOn)
  }
}

function ended(worker: Worker): Promise<LostProcess> {
  return new Promise((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) =>
      resolve({ pid: worker.process.pid, code, signal }),
    )
  })
}

function printLost({ pid, code, signal }: LostProcess): void {
  console.error(`process ${pid} ended with ${signal ?? `code ${code}`}; starting another`)
}

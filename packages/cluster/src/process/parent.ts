/**
 * The parent of `serveHttp(server, { processes })`: starts this program once for each process, restarts those that end, and keeps
 * the store that they share in its memory. The children reach it over their channel (`remote-store`).
 *
 * A child that keeps failing is restarted with growing pauses; one that never served is an error. Stopping lets each child finish until its deadline.
 */

import nodeCluster, { type Worker } from 'node:cluster'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Health } from '@parley/mcp/http'

import { randomSecret } from '../cluster/cluster-secrets.ts'
import type { ClusterOptions } from '../cluster/create-cluster.ts'
import { createMemoryClusterStore } from '../memory/memory-store.ts'
import { StoreUnavailable, type ClusterStore } from '../store/cluster-store.ts'
import type { RemoteStoreOptions } from './remote-store.ts'
import { serveStore } from './serve-store.ts'
import {
  channelToChild,
  isProcessMessage,
  type ChildMessage,
  type DrainReport,
  type ParentMessage,
} from './store-messages.ts'

/** The children of this process. */
export interface Processes {
  /** All of them serve, at this URL if they said one. Rejects, and ends all, if one ends before. */
  readonly serving: Promise<string | undefined>
  /** Sums of what each said last. */
  health(): Health
  /** Lets each finish its calls, and kills those that take longer. Calling it twice is calling it once. */
  drain(deadlineMs?: number): Promise<DrainReport>
  /** At once. */
  kill(): void
  /** All have ended, and no other is started. */
  readonly closed: Promise<void>
}

interface Child {
  readonly worker: Worker
  /** Its work has begun, so it hears when it has to end. */
  isServing: boolean
  health: Health | undefined
  report: DrainReport | undefined
}

/** Says in the environment of a child whose it is. */
export const childMark = 'PARLEY_PROCESS'

const firstWaitMs = 100
const maxWaitMs = 10_000
/** A process that ran for so long did not fail to start. */
const steadyMs = 30_000
/** After its deadline a child aborts what is left, and says so. */
const graceMs = 5_000

/** Starts this program once for each process, the others when the first serves. The store they share is kept here. */
export function startProcesses(options: ProcessesOptions): Processes {
  const count = countProcesses(options.processes)
  const { onExit = printExit } = options
  const store = createMemoryClusterStore()
  const children = new Set<Child>()
  const ending = new AbortController()
  let drained: DrainReport = { finished: 0, aborted: 0 }
  let url: string | undefined
  const processes: Promise<void>[] = []

  /** One place among the processes: the same program, again and again until it ends by itself. */
  async function keepRunning(onServing: () => void): Promise<void> {
    let hasServed = false
    let waitMs = firstWaitMs
    for (; !ending.signal.aborted; waitMs = Math.min(maxWaitMs, waitMs * 2)) {
      const startedAt = performance.now()
      const processEnd = await runOnce(() => {
        hasServed = true
        onServing()
      })
      if (ending.signal.aborted || processEnd.code === 0) return
      if (!hasServed) throw notStarted(processEnd)
      onExit(processEnd)
      if (performance.now() - startedAt > steadyMs) waitMs = firstWaitMs
      await sleep(waitMs, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }

  async function runOnce(onServing: () => void): Promise<ProcessExit> {
    const worker = nodeCluster.fork({ [childMark]: '1' })
    const child: Child = { worker, isServing: false, health: undefined, report: undefined }
    children.add(child)
    serveStore(store, channelToChild(worker))
    worker.on('message', (message: unknown) => {
      if (isProcessMessage(message)) onText(child, message, onServing)
    })
    const processEnd = await ended(worker)
    children.delete(child)
    const { finished = 0, aborted = 0 } = child.report ?? {}
    drained = { finished: drained.finished + finished, aborted: drained.aborted + aborted }
    return processEnd
  }

  function onText(
    child: Child,
    message: ChildMessage | ParentMessage,
    onServing: () => void,
  ): void {
    switch (message.processes) {
      case 'serving':
        url ??= message.url
        child.isServing = true
        return onServing()
      case 'health':
        child.health = message.health
        return
      case 'drained':
        child.report = message.report
        return
      case 'drain':
        return // only a parent says so
    }
  }

  /** Resolves when all have ended; `onServing` when all have begun. */
  async function runAll(onServing: () => void): Promise<void> {
    await makeSharedSecret(store)
    for (let index = 0; index < count && !ending.signal.aborted; index += 1) {
      await new Promise<void>((begun, fail) => {
        const running = keepRunning(begun)
        running.then(begun, fail)
        processes.push(running)
      })
    }
    onServing()
    await Promise.all(processes)
  }

  let draining: Promise<DrainReport> | undefined
  async function drain(deadlineMs?: number): Promise<DrainReport> {
    ending.abort()
    for (const { worker, isServing } of children) {
      const message: ParentMessage = {
        processes: 'drain',
        ...(deadlineMs !== undefined && { deadlineMs }),
      }
      if (isServing && worker.isConnected()) worker.send(message, () => undefined)
      else worker.process.kill('SIGTERM')
    }
    const backstop = deadlineMs === undefined ? undefined : setTimeout(kill, deadlineMs + graceMs)
    await closed
    clearTimeout(backstop)
    return drained
  }

  function kill(): void {
    ending.abort()
    for (const { worker } of children) worker.process.kill('SIGKILL')
  }

  let closed: Promise<void> = Promise.resolve()
  const serving = new Promise<string | undefined>((resolve, reject) => {
    closed = runAll(() => resolve(url)).catch(async (error: unknown) => {
      kill()
      await Promise.allSettled(processes)
      reject(error)
    })
  })

  return {
    serving,
    closed,
    kill,
    drain: (deadlineMs) => (draining ??= drain(deadlineMs)),
    health: () => sumOf([...children].flatMap(({ health }) => health ?? [])),
  }
}

function sumOf(all: readonly Health[]): Health {
  const sum = (read: (health: Health) => number): number =>
    all.reduce((total, health) => total + read(health), 0)
  return {
    ready: all.some(({ ready }) => ready),
    sessions: sum(({ sessions }) => sessions),
    streams: sum(({ streams }) => streams),
    inFlight: sum(({ inFlight }) => inFlight),
    usedBytes: sum(({ usedBytes }) => usedBytes),
  }
}

function ended(worker: Worker): Promise<ProcessExit> {
  return new Promise((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) =>
      resolve({ pid: worker.process.pid, code, signal }),
    )
  })
}

function describeEnd({ pid, code, signal }: ProcessExit): string {
  return `process ${pid} ended with ${signal ?? `code ${code}`}`
}

function notStarted(processEnd: ProcessExit): Error {
  return new Error(`${describeEnd(processEnd)} before it served; what it printed says why`)
}

function printExit(processEnd: ProcessExit): void {
  console.error(`${describeEnd(processEnd)}; starting another`)
}

/** How many processes, and what they share. Without `secret` the parent makes one for its children. */
export interface ProcessesOptions extends Partial<ClusterOptions>, RemoteStoreOptions {
  /** @defaultValue 'auto', one for each core */
  readonly processes?: number | 'auto' | undefined
  /** Hears of a process that ended unasked and is started again. @defaultValue a line on standard error */
  readonly onExit?: ((exit: ProcessExit) => void) | undefined
}

/** A process that ended unasked. */
export interface ProcessExit {
  /** Its process id; undefined if it could not be started. */
  readonly pid: number | undefined
  /** Its exit code; null if a signal ended it. */
  readonly code: number | null
  /** The signal that ended it; null if it exited by itself. */
  readonly signal: string | null
}

/** How many processes that is here. Throws if it is no such number. */
function countProcesses(processes: number | 'auto' = 'auto'): number {
  const count = processes === 'auto' ? availableParallelism() : processes
  if (Number.isInteger(count) && count >= 1 && count <= 1_024) return count
  throw new Error(`processes ${count} is out of range: use 1 to 1024, or 'auto'`)
}

/** Over the channel to the children, and on no command line and in no environment, where others could read it. */
const key = { group: 'processes', id: 'secret' }

/** Makes a secret for the children of this process. */
async function makeSharedSecret(store: ClusterStore): Promise<void> {
  await store.records.put(key, randomSecret(), 0, Infinity)
}

/** The secret that the parent made. */
export async function sharedSecret(store: ClusterStore): Promise<string> {
  const found = await store.records.get(key)
  if (found === undefined) throw new StoreUnavailable('the parent process has made no secret')
  return found.text
}

import process from 'node:process'

import type { Cluster, Health } from '@parley/mcp/http'

import { createCluster, type StoreCluster, waitForStore } from '../cluster/create-cluster.ts'
import type { ClusterStore } from '../store/cluster-store.ts'
import { type ProcessesOptions, sharedSecret } from './parent.ts'
import { createRemoteStore } from './remote-store.ts'
import {
  channelToParent,
  isProcessMessage,
  type ChildMessage,
  type DrainReport,
  type ParentMessage,
} from './store-messages.ts'

/** The services of a child, as far as its parent needs them. */
interface Served {
  readonly url?: URL
  health?(): Health
  drain?(options: { readonly deadlineMs?: number }): Promise<DrainReport>
  readonly closed?: Promise<void>
}

const healthEveryMs = 1_000
/** The time for other work after the services ended. */
const lastWorkMs = 500

/** The cluster of all children of one parent, who holds the store and made the secret. */
export async function joinParent(options: ProcessesOptions): Promise<StoreCluster> {
  const store = createRemoteStore(channelToParent(), options)
  const { secret = await waitForStore(() => requestSecret(store), options) } = options
  return createCluster(store, { ...options, secret })
}

async function requestSecret(store: ClusterStore): Promise<string> {
  await store.start()
  return sharedSecret(store)
}

/** Runs the work of a child: its parent hears how it does, and may end it. */
export async function runChild<Work>(
  cluster: Cluster,
  work: (cluster: Cluster) => Promise<Work>,
): Promise<Work> {
  const result = await work(cluster)
  const served = (typeof result === 'object' && result !== null ? result : {}) as Served // a service, or something without these members
  process.on('message', (message: unknown) => {
    if (isProcessMessage(message) && message.processes === 'drain') void end(served, message)
  })
  notify({ processes: 'serving', ...(served.url && { url: served.url.href }) })
  if (served.health) tellHealth(() => served.health?.())
  void served.closed?.then(() => process.channel?.unref()) // the child ends when it has nothing else to do
  return result
}

/** If it does not say how it is ended, it hears what a program that has to end hears. */
async function end(served: Served, { deadlineMs }: ParentMessage): Promise<void> {
  if (served.drain === undefined) return void process.kill(process.pid, 'SIGTERM')
  const report = await served.drain(deadlineMs === undefined ? {} : { deadlineMs })
  notify({ processes: 'drained', report })
  endSoon()
}

function endSoon(): void {
  setTimeout(() => process.exit(), lastWorkMs)
}

/** When it has changed: a service that is asked for its health answers at once, and so does the parent. */
function tellHealth(health: () => Health | undefined): void {
  let sent = ''
  const poll = (): void => {
    const now = health()
    const text = JSON.stringify(now)
    if (now === undefined || text === sent) return
    sent = text
    notify({ processes: 'health', health: now })
  }
  poll()
  setInterval(poll, healthEveryMs).unref()
}

function notify(message: ChildMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}

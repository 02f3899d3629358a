import { createHash } from 'node:crypto'

import { Client, type ClientConfig } from 'pg'

import type { ClusterBus } from '../store/cluster-store.ts'
import { withDeadline } from '../store/deadline.ts'
import { createListeners } from '../store/listeners.ts'
import { createNotifier } from './notifier.ts'
import type { PostgresQueries } from './postgres-queries.ts'

/** How often the connection is tried: one that hears nothing does not notice that it is dead. */
const tryEveryMs = 15_000
const maxPauseMs = 2_000

/** A bus that connects when told to, and can be closed. */
export interface PostgresBus extends ClusterBus, AsyncDisposable {
  connect(): void
}

/** Hints by `LISTEN` on a connection of its own, and by `NOTIFY` in transactions of their own. */
export function createPostgresBus(
  queries: PostgresQueries,
  config: ClientConfig,
  { schema, timeoutMs }: { readonly schema: string; readonly timeoutMs: number },
): PostgresBus {
  const topicOf = new Map<string, string>()
  const notifier = createNotifier(queries)
  let client: Client | undefined
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let state: 'new' | 'connecting' | 'connected' | 'waiting' | 'closed' = 'new'

  const listeners = createListeners({
    open(topic) {
      topicOf.set(channelOf(topic), topic)
      notify(`LISTEN ${channelOf(topic)}`)
    },
    close(topic) {
      topicOf.delete(channelOf(topic))
      notify(`UNLISTEN ${channelOf(topic)}`)
    },
  })

  /** A name that PostgreSQL takes for a channel, whatever the topic. */
  function channelOf(topic: string): string {
    const digest = createHash('sha256').update(`${schema} ${topic}`).digest('hex')
    return `parley_${digest.slice(0, 40)}`
  }

  function notify(statement: string): void {
    if (state !== 'connected' || !client) return
    const listener = client
    withDeadline(listener.query(statement), timeoutMs, 'PostgreSQL').catch(() => abandon(listener))
  }

  async function connect(): Promise<void> {
    state = 'connecting'
    const opened = new Client(config)
    client = opened
    opened.on('error', () => abandon(opened))
    opened.on('end', () => abandon(opened))
    opened.on('notification', ({ channel, payload = '' }) => {
      const topic = topicOf.get(channel)
      if (topic !== undefined) listeners.notify(topic, Buffer.from(payload, 'base64').toString())
    })
    try {
      await withDeadline(opened.connect(), timeoutMs, 'PostgreSQL')
    } catch {
      abandon(opened)
      return
    }
    if (client !== opened) return
    state = 'connected'
    failures = 0
    if (topicOf.size > 0)
      notify([...topicOf.keys()].map((channel) => `LISTEN ${channel}`).join('; '))
    timer = setInterval(() => notify('SELECT 1'), tryEveryMs).unref()
  }

  /** Connects anew after a pause. */
  function abandon(left: Client): void {
    if (client !== left) return
    client = undefined
    clearInterval(timer)
    left.end().catch(() => undefined)
    if (state === 'closed') return
    state = 'waiting'
    failures += 1
    const pauseMs = Math.min(maxPauseMs, 50 * 2 ** Math.min(failures, 6))
    timer = setTimeout(() => void connect(), pauseMs).unref()
  }

  return {
    publish(topic, text) {
      if (state !== 'new' && state !== 'closed') notifier.send(channelOf(topic), text)
    },
    subscribe: (topic, onText) => listeners.add(topic, onText),
    connect() {
      if (state === 'new') void connect()
    },
    async [Symbol.asyncDispose]() {
      state = 'closed'
      clearInterval(timer)
      await notifier.flushed()
      const left = client
      client = undefined
      if (left) await withDeadline(left.end(), timeoutMs, 'PostgreSQL').catch(() => undefined)
    },
  }
}

/**
 * Messages between the processes of a cluster, as entries of two feeds of the store: one for all processes, one for this one. The
 * bus only wakes the readers sooner; a message that it loses is read with the next look at the feed.
 */

import type { JsonObject } from '@parley/mcp'
import type { ClusterListener, ClusterMessages } from '@parley/mcp/http'

import { type ClusterStore, feedPageSize } from '../store/cluster-store.ts'
import { letExit } from '../store/deadline.ts'

export interface StoredMessagesOptions {
  readonly store: Pick<ClusterStore, 'feeds' | 'bus'>
  readonly node: string
  /** How often feeds are read, whether or not the bus says that there is more. */
  readonly heartbeatMs: number
  /** A process that misses less than this misses nothing. */
  readonly keepMs: number
  readonly onError: (error: unknown) => void
  /** How long each message was under way, by the clocks of two processes. */
  readonly onReceived?: ((message: JsonObject, ms: number) => void) | undefined
}

/** Messages as entries of two feeds: one for everybody, one for this process. */
export interface StoredMessages extends ClusterMessages {
  /** From now on messages are heard. */
  start(): Promise<void>
  stop(): void
}

const everybody = 'messages'

export function createStoredMessages(options: StoredMessagesOptions): StoredMessages {
  const { store, node, heartbeatMs, keepMs, onError, onReceived } = options
  const { feeds, bus } = store
  const listeners = new Set<ClusterListener>()
  const readers = [createReader(everybody), createReader(feedOf(node))]

  async function append(feed: string, message: object): Promise<void> {
    await feeds.append(feed, `${Date.now()} ${JSON.stringify(message)}`, keepMs)
    bus.publish(feed, '')
  }

  function createReader(feed: string) {
    let cursor: string | undefined
    let isReading = false
    let isStale = false // there may be more than was read
    let isStopped = false
    let timer: NodeJS.Timeout | undefined
    let hints: Disposable | undefined

    async function readOn(): Promise<void> {
      isStale = true
      if (isReading || isStopped || cursor === undefined) return
      isReading = true
      clearTimeout(timer)
      try {
        while (isStale && !isStopped) {
          isStale = false
          await readPage()
        }
      } catch (error) {
        if (!isStopped) onError(error)
      } finally {
        isReading = false
        if (!isStopped) lookLater()
      }
    }

    async function readPage(): Promise<void> {
      const page = await feeds.readSince(feed, cursor)
      cursor = page.cursor
      if (page.texts.length >= feedPageSize) isStale = true
      if (page.hasGap) attempt(() => notifyAll((listener) => listener.onGap()))
      for (const text of page.texts) attempt(() => onText(text))
    }

    function lookLater(): void {
      timer = setTimeout(() => void readOn(), heartbeatMs)
      letExit(timer)
    }

    return {
      async start() {
        hints ??= bus.subscribe(feed, () => void readOn())
        const { cursor: first } = await feeds.readSince(feed, undefined)
        cursor ??= first
        await readOn()
      },
      stop() {
        isStopped = true
        clearTimeout(timer)
        hints?.[Symbol.dispose]()
      },
    }
  }

  function onText(text: string): void {
    const space = text.indexOf(' ')
    const message = JSON.parse(text.slice(space + 1)) as JsonObject // as `append` wrote it
    onReceived?.(message, Math.max(0, Date.now() - Number(text.slice(0, space))))
    notifyAll((listener) => listener.receive(message))
  }

  function notifyAll(notify: (listener: ClusterListener) => void): void {
    for (const listener of listeners) attempt(() => notify(listener))
  }

  /** Runs a listener; the failure of one message or listener does not affect the others. */
  function attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      onError(error)
    }
  }

  return {
    notify: (message) => append(everybody, message),
    send: (to, message) => append(feedOf(to), message),
    listen(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    async start() {
      await Promise.all(readers.map((reader) => reader.start()))
    },
    stop() {
      for (const reader of readers) reader.stop()
    },
  }
}

function feedOf(node: string): string {
  return `messages/${node}`
}

/** Asks about a name at most once in `keepMs`: whoever asks meanwhile gets the same answer. */
export function storeReplies<Answer>(
  request: (name: string) => Promise<Answer>,
  keepMs: number,
): (name: string) => Promise<Answer> {
  const answers = new Map<
    string,
    { readonly answer: Promise<Answer>; readonly requestedAt: number }
  >() // oldest first

  function forgetOld(now: number): void {
    for (const [name, { requestedAt }] of answers) {
      if (now - requestedAt < keepMs) return
      answers.delete(name)
    }
  }

  return (name) => {
    const now = performance.now()
    forgetOld(now)
    const stored = answers.get(name)
    if (stored) return stored.answer
    const answer = request(name)
    answers.set(name, { answer, requestedAt: now })
    answer.catch(() => answers.delete(name)) // the next one asks again
    return answer
  }
}

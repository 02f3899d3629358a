import type { Clock, JsonObject } from '@parley/mcp'
import type { ClusterListener, ClusterMessages } from '@parley/mcp/http'

import { farAway, type Faults } from './faulty-store.ts'

/** Between endpoints of one process that take each other for different ones. */
export interface MessageHub {
  /** How often each process looks for messages. */
  readonly heartbeatMs: number
  /** As the process of this name sends and hears. */
  connect(node: string): ClusterMessages
  /** Messages that nobody has heard yet are lost, which everybody notices. */
  lose(): void
  /** All that was said, by whomever. */
  readonly said: readonly JsonObject[]
}

interface Reader {
  readonly node: string
  readonly listeners: Set<ClusterListener>
  received: number
  hasGap: boolean
  timer: Disposable | undefined
}

/** Heard at once; with faults, as from a store far away without hints: at the next heartbeat that reaches it. */
export function createMessageHub(clock: Clock, faults?: Faults, heartbeatMs = 3_000): MessageHub {
  const said: { readonly to?: string; readonly message: JsonObject }[] = []
  const readers: Reader[] = []

  async function put(entry: { readonly to?: string; readonly message: JsonObject }): Promise<void> {
    said.push({ ...entry, message: structuredClone(entry.message) })
    if (faults === undefined) for (const reader of readers) read(reader)
  }

  function read(reader: Reader): void {
    const { hasGap, listeners } = reader
    reader.hasGap = false
    if (hasGap) for (const listener of listeners) listener.onGap()
    while (reader.received < said.length) {
      const entry = said[reader.received++]
      const isFor = entry && (entry.to ?? reader.node) === reader.node
      if (isFor) for (const listener of listeners) listener.receive(entry.message)
    }
  }

  function readLater(reader: Reader): void {
    reader.timer = clock.setTimer(() => {
      readLater(reader)
      if (!faults?.isDown) read(reader)
    }, heartbeatMs)
  }

  function send(entry: { readonly to?: string; readonly message: JsonObject }): Promise<void> {
    return faults ? farAway(faults, () => put(entry)) : put(entry)
  }

  return {
    heartbeatMs,
    get said() {
      return said.map(({ message }) => message)
    },
    lose() {
      for (const reader of readers) {
        reader.hasGap = true
        reader.received = said.length
        if (faults === undefined) read(reader)
      }
    },
    connect(node) {
      const reader: Reader = {
        node,
        listeners: new Set(),
        received: said.length,
        hasGap: false,
        timer: undefined,
      }
      readers.push(reader)
      return {
        notify: (message) => send({ message }),
        send: (to, message) => send({ to, message }),
        listen(listener) {
          if (reader.listeners.size === 0 && faults) readLater(reader)
          reader.listeners.add(listener)
          return {
            [Symbol.dispose]() {
              reader.listeners.delete(listener)
              if (reader.listeners.size === 0) reader.timer?.[Symbol.dispose]()
            },
          }
        },
      }
    },
  }
}

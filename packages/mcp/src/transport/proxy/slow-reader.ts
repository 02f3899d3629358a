import { BoundedMap } from '../../rpc/bounded-map.ts'
import type { JsonObject } from '../../schema/json.ts'

/** Sends a notification to a client outside of calls. */
export interface Notifier {
  /** Set while it reads more slowly than we write. */
  drained(): Promise<void> | undefined
  send(method: string, params: JsonObject): void
}

/** Different notifications that wait for one client; beyond this the oldest are dropped. */
const maxWaiting = 1_000

/** Tells a client of changes. While it reads slowly only one of each waits, however many there were. */
export function tellInTurn({
  drained,
  send,
}: Notifier): (method: string, params: JsonObject) => void {
  const waiting = new BoundedMap<string, () => void>(maxWaiting)

  function flush(): void {
    const full = drained()
    if (full !== undefined) return void full.then(flush)
    const messages = [...waiting.values()]
    waiting.clear()
    for (const message of messages) message()
  }

  return (method, params) => {
    const full = drained()
    if (full === undefined && waiting.size === 0) return send(method, params)
    if (waiting.size === 0) void full?.then(flush)
    const key = JSON.stringify([method, params['uri'] ?? params])
    waiting.set(key, () => send(method, params))
  }
}

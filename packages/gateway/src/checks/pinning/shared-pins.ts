import type { JsonObject } from '@parley/mcp'

import type { SharedState } from '../check.ts'
import { keyOf } from './definition-hash.ts'
import { isEntry, type PinEntry } from './pin-file.ts'
import type { PinStore } from './pin-store.ts'

const kind = 'gateway-pins'
const keepMs = 400 * 24 * 3_600_000
/** How often the file is looked at: commands of people write it. */
const pollMs = 1_000

/** Shares the decisions of each process with all. Ends with the signal. */
export function sharePins(
  store: Pick<PinStore, 'current' | 'adopt'>,
  { values, messages, signal, onError }: SharedState,
): void {
  /** The last decision about each entry, as all processes have it. */
  const decisions = new Map<string, string>()
  let isStarted = false
  let isBusy = false

  async function adoptAll(entries: unknown): Promise<void> {
    for (const entry of Array.isArray(entries) ? (entries as readonly unknown[]) : []) {
      if (!isEntry(entry) || !isDecided(entry)) continue
      if (decisions.get(keyOf(entry)) === decisionOf(entry)) continue
      decisions.set(keyOf(entry), decisionOf(entry))
      await store.adopt(entry)
    }
  }

  /** First what the others have decided, then what is new here. */
  async function poll(): Promise<void> {
    if (!isStarted) await adoptAll(await values.get(kind, 'all'))
    isStarted = true
    const decided = [...store.current().values()].filter(isDecided).map(withoutDefinitions)
    const changed = decided.filter((entry) => decisions.get(keyOf(entry)) !== decisionOf(entry))
    if (changed.length === 0) return
    for (const entry of changed) decisions.set(keyOf(entry), decisionOf(entry))
    await values.set(kind, 'all', decided, keepMs)
    await messages.notify({ type: kind, entries: changed } as unknown as JsonObject) // made of JSON alone
  }

  function attempt(work: () => Promise<void>): void {
    if (isBusy || signal.aborted) return
    isBusy = true
    work()
      .catch((error: unknown) => onError(error, { severity: 'warning', operation: 'pinning' }))
      .finally(() => (isBusy = false))
  }

  const listening = messages.listen({
    receive(message) {
      if (message['type'] !== kind) return
      adoptAll(message['entries']).catch((error: unknown) =>
        onError(error, { severity: 'warning', operation: 'pinning' }),
      )
    },
    onGap: () => (isStarted = false),
  })
  const timer = setInterval(() => attempt(poll), pollMs)
  timer.unref()
  signal.addEventListener('abort', () => {
    clearInterval(timer)
    listening[Symbol.dispose]()
  })
  attempt(poll)
}

function isDecided({ approved, rejected }: PinEntry): boolean {
  return approved !== undefined || rejected !== undefined
}

function decisionOf({ approved, rejected }: PinEntry): string {
  return `${approved?.hash ?? ''} ${rejected ?? ''}`
}

/** The hashes are enough to decide by. */
function withoutDefinitions({
  upstream,
  kind: what,
  name,
  approved,
  rejected,
}: PinEntry): PinEntry {
  return {
    upstream,
    kind: what,
    name,
    ...(approved && { approved: { hash: approved.hash, at: approved.at } }),
    ...(rejected !== undefined && { rejected }),
  }
}

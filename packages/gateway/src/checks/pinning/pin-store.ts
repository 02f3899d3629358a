/**
 * The file of approved tool definitions: which definition of each tool was approved, and which wait for somebody to look at them.
 * Several processes share the file. A file that cannot be read is an error: nothing is approved by accident.
 */

import { createHash } from 'node:crypto'

import { changeLockedFile, openFileView } from '@parley/foundation/files'
import type { JsonObject } from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'

import { watchFiles } from '../../config/watch-files.ts'
import { keyOf, quarantineId, type PinnedName } from './definition-hash.ts'
import { definitionWarnings } from './definition-warnings.ts'
import { differencesOf, type Difference } from './differences.ts'
import { readPins, writePins, type PinEntry, type Pins, type SeenDefinition } from './pin-file.ts'

/** A definition that waits for somebody to look at it. */
export interface Quarantined extends PinnedName {
  /** Names this definition: another one of the same tool has another. */
  readonly id: string
  /** It was never seen before, or it differs from the one that was approved. */
  readonly reason: 'new' | 'changed'
  /** Since when, as an ISO date. */
  readonly since: string
  /** Somebody has looked at it and said no. */
  readonly isRejected: boolean
  /** The changes; empty for a new one, and if definitions are too large to store. */
  readonly differences: readonly Difference[]
  /** Hidden characters, marks of direction, names of mixed scripts: one sentence each. */
  readonly warnings: readonly string[]
  /** The definition that was approved; absent for a new one. */
  readonly before?: JsonObject | undefined
  /** The definition that waits. */
  readonly after?: JsonObject | undefined
}

/** Definitions in a file that several processes share. */
export interface PinStore {
  /** Returns the pins as last read from the file. Reads again after a second. */
  current(): Pins
  /** Notes a definition that is not the approved one. Told to the file soon; `flush` waits for it. */
  note(name: PinnedName, seen: SeenDefinition): void
  listQuarantine(): readonly Quarantined[]
  /** From now on this definition is the right one. Throws if there is none of that id any more. */
  approve(id: string): Promise<Quarantined>
  /** Hides the tool unless it is as it was approved, whatever it becomes, until another definition of it is approved. */
  reject(id: string): Promise<Quarantined>
  /** Takes over what was decided at another process. */
  adopt(decided: PinEntry): Promise<void>
  flush(): Promise<void>
  /** Tells when something was approved or rejected, by this process or another, until it is disposed of. */
  watch(onChange: () => void): Disposable
}

export interface PinStoreOptions {
  readonly path: string
  /** @defaultValue a warning of the process */
  readonly onProblem?: ((message: string) => void) | undefined
  /** Milliseconds. @defaultValue the clock of the process */
  readonly now?: (() => number) | undefined
}

const maxEntries = 10_000
const maxDefinitionSize = 64 * 1024

/** Opens the file of pinned tools. Throws if it cannot be read: nothing is approved by accident. */
export function openPinStore(options: PinStoreOptions): PinStore {
  const { path, now } = options
  const { onProblem = (message) => process.emitWarning(message) } = options
  const view = openFileView({ path, onProblem, now, read: (text) => readPins(text, path) })
  let pending = new Map<string, { readonly name: PinnedName; readonly seen: SeenDefinition }>()
  let writing: Promise<void> | undefined
  let isFull = false
  const listeners = new Set<() => void>()
  let watching: Disposable | undefined
  let later: NodeJS.Timeout | undefined
  let decisions = ''

  async function change(work: (kept: Map<string, PinEntry>) => void): Promise<void> {
    const pins = new Map<string, PinEntry>()
    await changeLockedFile(path, (text) => {
      for (const [key, entry] of readPins(text, path)) pins.set(key, entry)
      work(pins)
      return writePins(pins)
    })
    view.replace(pins)
    reportDecisions()
  }

  /** Reports decisions; waiting entries are written to the same file, and are not decisions. */
  function reportDecisions(): void {
    if (watching === undefined) return
    const next = decisionsOf(view.current())
    if (next === decisions) return
    decisions = next
    for (const listener of listeners) listener()
  }

  /** The view looks at the file no more often than once a second, so another look may be needed. */
  function lookAgain(): void {
    reportDecisions()
    clearTimeout(later)
    later = setTimeout(reportDecisions, 1_100)
    later.unref()
  }

  async function writePending(): Promise<void> {
    await Promise.resolve() // what one list brings is written at once
    while (pending.size > 0) {
      const batch = pending
      pending = new Map()
      try {
        await change((pins) => {
          for (const { name, seen } of batch.values()) add(pins, name, seen)
        })
      } catch (error) {
        onProblem(`the quarantine cannot be written: ${errorMessage(error)}`)
      }
    }
    writing = undefined
  }

  function add(pins: Map<string, PinEntry>, name: PinnedName, seen: SeenDefinition): void {
    const key = keyOf(name)
    const entry = pins.get(key)
    if (entry === undefined && pins.size >= maxEntries) {
      if (!isFull)
        onProblem(`the quarantine is full: ${maxEntries} tools are known; approve or reject some`)
      isFull = true
      return
    }
    if (entry?.approved?.hash === seen.hash || entry?.waiting?.hash === seen.hash) return
    pins.set(key, { ...name, ...entry, waiting: seen })
  }

  async function resolve(id: string, next: (entry: PinEntry) => PinEntry): Promise<Quarantined> {
    let decided: Quarantined | undefined
    await writing
    await change((pins) => {
      for (const [key, entry] of pins) {
        const found = quarantinedOf(entry)
        if (found?.id !== id) continue
        decided = found
        pins.set(key, next(entry))
      }
    })
    if (decided !== undefined) return decided
    throw new Error(
      `nothing in the quarantine has the id ${id}: its definition may have changed, list it again`,
    )
  }

  return {
    current: () => view.current(),
    note(name, seen) {
      const bytes = seen.definition === undefined ? 0 : JSON.stringify(seen.definition).length
      const storedSeen = bytes > maxDefinitionSize ? { hash: seen.hash, at: seen.at } : seen
      if (pending.size >= maxEntries) return
      pending.set(keyOf(name), { name, seen: storedSeen })
      writing ??= writePending()
    },
    listQuarantine: () =>
      [...view.current().values()].flatMap((entry) => quarantinedOf(entry) ?? []),
    approve: (id) =>
      resolve(id, ({ upstream, kind, name, waiting }) => ({
        upstream,
        kind,
        name,
        approved: waiting,
      })),
    reject: (id) => resolve(id, (entry) => ({ ...entry, rejected: new Date().toISOString() })),
    async adopt({ upstream, kind, name, approved, rejected }) {
      await writing
      await change((pins) => {
        const key = keyOf({ upstream, kind, name })
        const { waiting, approved: before } = pins.get(key) ?? {}
        const seen = [waiting, before].find((each) => each?.hash === approved?.hash) ?? approved
        pins.set(key, {
          upstream,
          kind,
          name,
          ...(seen && { approved: seen }),
          ...(waiting && waiting.hash !== approved?.hash && { waiting }),
          ...(rejected !== undefined && { rejected }),
        })
      })
    },
    async flush() {
      await writing
    },
    watch(onChange) {
      if (watching === undefined) {
        decisions = decisionsOf(view.current())
        watching = watchPins(path, lookAgain)
      }
      const listener = (): void => onChange() // each watcher its own
      listeners.add(listener)
      return {
        [Symbol.dispose]() {
          listeners.delete(listener)
          if (listeners.size > 0) return
          clearTimeout(later)
          watching?.[Symbol.dispose]()
          watching = undefined
        },
      }
    },
  }
}

/** A folder that is not there yet has nothing in it to follow: what this process decides is told all the same. */
function watchPins(path: string, onChange: () => void): Disposable {
  try {
    return watchFiles([path], onChange)
  } catch {
    return { [Symbol.dispose]: () => undefined }
  }
}

/** Returns all decisions as one short text. */
function decisionsOf(pins: Pins): string {
  const hash = createHash('sha256')
  for (const [key, { approved, rejected }] of pins) {
    if (approved || rejected) hash.update(JSON.stringify([key, approved?.hash, rejected]))
  }
  return hash.digest('hex')
}

function quarantinedOf(entry: PinEntry): Quarantined | undefined {
  const { upstream, kind, name, approved, waiting, rejected } = entry
  if (waiting === undefined) return undefined
  const isChange = approved !== undefined
  return {
    id: quarantineId(entry, waiting.hash),
    upstream,
    kind,
    name,
    reason: isChange ? 'changed' : 'new',
    since: waiting.at,
    isRejected: rejected !== undefined,
    differences:
      approved?.definition && waiting.definition
        ? differencesOf(approved.definition, waiting.definition)
        : [],
    warnings: definitionWarnings(name, waiting.definition ?? {}),
    before: approved?.definition,
    after: waiting.definition,
  }
}

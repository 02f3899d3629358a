import { Buffer } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'

import {
  identityOf,
  isSame,
  openForReading,
  readRange,
  type FileIdentity,
} from './file-identity.ts'
import { scanLines, type Line, type Parsed, type UnreadableLine } from './lines.ts'
import { StoreError } from './store-error.ts'

/** What an application makes of the lines: indexes of its own, kept up to date line by line. */
export interface LineView<T> {
  /** A line is there. */
  add(line: Line<T>, value: T): void
  /** A line is gone. */
  remove(line: Line<T>, value: T): void
  /** The line keeps its place; `line.value` is the new one already. */
  replace(line: Line<T>, before: T, after: T): void
}

/** A file as it was read last. */
export interface StoreState<T, View> {
  readonly view: View
  /** In the order of the file, with those that were removed since it was read. */
  lines: Line<T>[]
  /** Since the last rewrite; only a writer sets them aside. */
  readonly unreadable: UnreadableLine[]
  /** An end without a newline. */
  tail: { readonly bytes: Buffer; readonly line: Line<T> | undefined } | undefined
  /** Undefined while there is no file. */
  identity: FileIdentity | undefined
  /** Where the tail begins. */
  endedBytes: number
  /** The last bytes before that, to notice that somebody edited the file in place. */
  lastBytes: Buffer | undefined
  lineCount: number
}

export interface ReadOptions<T, View> {
  readonly path: string
  readonly parse: (value: unknown) => Parsed<T>
  readonly createView: () => View
  readonly maxBytes: number
}

/** Enough to tell two versions apart: any edit that moves what follows it shows here. */
const comparedBytes = 4096

/** The state of the file now: the one before if nothing changed, that one and the new lines if the file only grew. */
export async function readState<T, View extends LineView<T>>(
  options: ReadOptions<T, View>,
  before: StoreState<T, View> | undefined,
): Promise<StoreState<T, View>> {
  const file = await openForReading(options.path)
  if (file === undefined) {
    return before && before.identity === undefined ? before : emptyState(options.createView())
  }
  try {
    const identity = await identityOf(file)
    if (before?.identity && isSame(before.identity, identity)) return before
    if (identity.size > BigInt(options.maxBytes)) throw tooLarge(options)
    const state =
      before && (await hasOnlyGrown(file, before, identity))
        ? before
        : emptyState<T, View>(options.createView())
    await readOn(file, options, state)
    requireOurs(options.path, state)
    return Object.assign(state, { identity })
  } finally {
    await file.close()
  }
}

export function emptyState<T, View extends LineView<T>>(view: View): StoreState<T, View> {
  return {
    view,
    lines: [],
    unreadable: [],
    tail: undefined,
    identity: undefined,
    endedBytes: 0,
    lastBytes: undefined,
    lineCount: 0,
  }
}

/** Remembers the end of what was read or written. */
export function rememberEnd(state: Pick<StoreState<unknown, unknown>, 'lastBytes'>, bytes: Buffer) {
  // A copy: a slice would keep the whole file in memory.
  state.lastBytes = Buffer.from(bytes.subarray(Math.max(0, bytes.length - comparedBytes)))
}

async function hasOnlyGrown<T, View>(
  file: FileHandle,
  { identity: before, endedBytes, lastBytes }: StoreState<T, View>,
  now: FileIdentity,
): Promise<boolean> {
  if (!before || before.dev !== now.dev || before.ino !== now.ino || before.size >= now.size) {
    return false
  }
  if (lastBytes === undefined) return endedBytes === 0
  const there = await readRange(file, endedBytes - lastBytes.length, lastBytes.length)
  return there.equals(lastBytes)
}

async function readOn<T, View extends LineView<T>>(
  file: FileHandle,
  { parse }: ReadOptions<T, View>,
  state: StoreState<T, View>,
): Promise<void> {
  const { size } = await file.stat()
  const bytes = await readRange(file, state.endedBytes, size - state.endedBytes)
  const scanned = await scanLines(bytes, parse, state.lineCount + 1)
  if (state.tail?.line) take(state, state.tail.line, 'remove')
  for (const line of scanned.lines) take(state, line, 'add')
  if (scanned.tail?.line) take(state, scanned.tail.line, 'add')
  state.unreadable.push(...scanned.unreadable)
  state.tail = scanned.tail
  state.lineCount += scanned.count
  state.endedBytes += scanned.endedBytes
  if (scanned.endedBytes > 0) rememberEnd(state, bytes.subarray(0, scanned.endedBytes))
}

function take<T, View extends LineView<T>>(
  { view, lines }: StoreState<T, View>,
  line: Line<T>,
  how: 'add' | 'remove',
): void {
  if (how === 'add') lines.push(line)
  else line.isRemoved = true
  if (line.value !== undefined) view[how](line, line.value)
}

/** A path is only a name: what was written by something else is never written to, and its text never kept or shown. */
function requireOurs<T, View>(path: string, { lines, unreadable, tail }: StoreState<T, View>) {
  if (lines.length === 0 && unreadable.length === 0 && tail === undefined) return
  for (const { value } of lines) if (value !== undefined) return
  throw new StoreError(
    'not_ours',
    `${path} contains no line that this server has written, so it is left alone. Name another file, or move this one away.`,
  )
}

function tooLarge({ path, maxBytes }: { readonly path: string; readonly maxBytes: number }) {
  return new StoreError('too_large', `${path} is larger than ${maxBytes} bytes.`)
}

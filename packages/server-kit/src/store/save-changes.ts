import { Buffer } from 'node:buffer'

import type { FileLock } from '@parley/mcp/system'

import type { ChangeSet } from './change-set.ts'
import { isStill } from './file-identity.ts'
import type { UnreadableLine } from './lines.ts'
import { StoreError } from './store-error.ts'
import { rememberEnd, type StoreState } from './store-state.ts'
import { appendBytes, rewriteFile, setAside, type MayWrite } from './write-lines.ts'

/** Where changes go, and who hears of what is done on the way. */
export interface SaveOptions {
  readonly path: string
  readonly backups: number
  /** No change makes the file larger than this: nobody could read it any more. */
  readonly maxBytes: number
  readonly onNotice: (notice: string) => void
}

/** False if others wrote since the file was read, which they do without the lock, or because they took it. */
export async function saveChanges<T, View>(
  now: StoreState<T, View>,
  changes: ChangeSet<T>,
  lock: FileLock,
  options: SaveOptions,
): Promise<boolean> {
  const { path } = options
  const isTorn = now.tail !== undefined && now.tail.line === undefined
  const needsRewrite = changes.needsRewrite || isTorn || now.unreadable.length > 0
  const isNew = now.identity === undefined
  if (!needsRewrite && changes.added.length === 0) return true
  const before = now.identity
  const mayWrite = async () => (await lock.isLocked()) && (await isStill(path, before))
  if (!(await mayWrite())) return false
  if (needsRewrite || isNew) return rewrite(now, mayWrite, options)

  const end = now.tail ? '\n' : '' // the original program ends its file without one
  const text = changes.added.map((line) => `${line.text}\n`).join('')
  const bytes = Buffer.from(end + text)
  requireCapacity(Number(before?.size ?? 0) + bytes.length, options)
  const after = await appendBytes(path, bytes, { mayWrite, isLocked: lock.isLocked })
  if (after === undefined) return false
  now.identity = after
  now.endedBytes = Number(now.identity.size)
  now.lineCount += changes.added.length + (now.tail ? 1 : 0)
  now.tail = undefined
  rememberEnd(now, bytes)
  return true
}

/** A file is made whole, so that half a line can only be at the end of one that has others. */
async function rewrite<T, View>(
  now: StoreState<T, View>,
  mayWrite: MayWrite,
  options: SaveOptions,
): Promise<boolean> {
  const { path, backups, onNotice } = options
  const lines = now.lines.filter(({ isRemoved }) => !isRemoved)
  const bytes = Buffer.from(lines.map(({ text }) => `${text}\n`).join(''))
  requireCapacity(bytes.length, options)
  const { unreadable, tail, lineCount } = now
  const torn = tail && tail.line === undefined ? [{ number: lineCount + 1, bytes: tail.bytes }] : []
  const unreadableLines = [...unreadable, ...torn]
  if (unreadableLines.length > 0) {
    const aside = await setAside(path, unreadableLines)
    onNotice(
      `${path}: line ${numbersOf(unreadableLines)} cannot be read and was moved to ${aside}.`,
    )
  }
  const mode = Number((now.identity?.mode ?? 0n) & 0o777n) || 0o600
  const identity = await rewriteFile(path, bytes, {
    mode,
    backups: { keep: backups, everyMs: 3_600_000 },
    mayWrite,
  })
  if (identity === undefined) return false
  Object.assign(now, { lines, identity, tail: undefined })
  Object.assign(now, { endedBytes: bytes.length, lineCount: lines.length })
  now.unreadable.length = 0
  rememberEnd(now, bytes)
  return true
}

function requireCapacity(size: number, { path, maxBytes }: SaveOptions): void {
  if (size <= maxBytes) return
  throw new StoreError(
    'too_large',
    `${path} would be larger than ${maxBytes} bytes, so nothing was written. Delete what is no longer needed first.`,
  )
}

/** For people. */
export function numbersOf(lines: readonly UnreadableLine[]): string {
  return lines.map(({ number }) => number).join(', ')
}

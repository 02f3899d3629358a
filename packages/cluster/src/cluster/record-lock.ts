import { setTimeout as sleep } from 'node:timers/promises'

import { StoreUnavailable, type RecordKey, type ClusterRecords } from '../store/cluster-store.ts'
import { letExit } from '../store/deadline.ts'

/** A lock whose owner is silent for so long belongs to nobody. */
const lockMs = 10_000
const renewMs = lockMs / 4

/** Work that one process does at a time: the lock is a record with its owner's name, which ends by itself when that dies. */
export async function withRecordLock<T>(
  records: ClusterRecords,
  key: RecordKey,
  owner: string,
  work: () => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  const end = performance.now() + timeoutMs
  while (!(await records.put(key, owner, 0, lockMs))) {
    if (performance.now() > end) throw tooLate(timeoutMs)
    await sleep(10 + Math.random() * 40)
  }
  let version = 1
  let renewedAt = performance.now()
  let renewing = Promise.resolve()
  const timer = setInterval(() => (renewing = renew()), renewMs)
  letExit(timer)

  /** After that it may be another's, whose record has the same version. */
  function isLocked(): boolean {
    return performance.now() - renewedAt < lockMs
  }

  async function renew(): Promise<void> {
    if (!isLocked()) return
    const requestedAt = performance.now()
    try {
      if (!(await records.put(key, owner, version, lockMs))) return
      version += 1
      renewedAt = requestedAt
    } catch {
      // The next renewal may succeed; if none does in time, the lock is somebody else's.
    }
  }

  async function release(): Promise<void> {
    if (!isLocked()) return
    try {
      await records.put(key, '', version, 1)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error // it ends by itself
    }
  }

  try {
    return await work()
  } finally {
    clearInterval(timer)
    await renewing
    await release()
  }
}

/** With the code that `@parley/auth` uses where a store fails. */
function tooLate(timeoutMs: number): Error {
  const error = new Error(`another process has held the lock for ${timeoutMs} ms`)
  return Object.assign(error, { code: 'store_failed' })
}

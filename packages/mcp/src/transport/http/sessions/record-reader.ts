import type { OnError } from '../../../rpc/errors/error-report.ts'
import type { Clock } from '../../../rpc/time/clock.ts'
import type { SessionRecord, SessionRecords } from './session-records.ts'

export interface RecordReaderOptions {
  readonly records: SessionRecords
  readonly clock: Clock
  readonly onError: OnError
  /** A store that did not answer is left alone for so long. */
  readonly retryMs: number
}

/** Reads records, each no more than once at a time, and none older than what was said about it meanwhile. */
export interface RecordReader {
  read(key: string): Promise<SessionRecord | 'ended' | 'unreachable' | undefined>
  /** What is being read may be older than what is known by now. */
  outdate(key: string): void
  outdateAll(): void
}

export function createRecordReader(options: RecordReaderOptions): RecordReader {
  const { records, clock, onError, retryMs } = options
  const running = new Map<string, ReturnType<RecordReader['read']>>()
  const outdated = new Set<string>()
  let awayUntil = -Infinity

  async function readLatest(key: string): ReturnType<RecordReader['read']> {
    try {
      for (;;) {
        outdated.delete(key)
        const record = await records.get(key)
        if (!outdated.has(key)) return record
      }
    } catch (error) {
      awayUntil = clock.now() + retryMs
      onError(error, { severity: 'warning', operation: 'store' })
      return 'unreachable'
    } finally {
      outdated.delete(key)
      running.delete(key)
    }
  }

  return {
    read(key) {
      const known = running.get(key)
      if (known) return known
      if (clock.now() < awayUntil) return Promise.resolve('unreachable')
      const reading = readLatest(key)
      running.set(key, reading)
      return reading
    },
    outdate(key) {
      if (running.has(key)) outdated.add(key)
    },
    outdateAll() {
      for (const key of running.keys()) outdated.add(key)
    },
  }
}

import type { OnError } from '../../../rpc/errors/error-report.ts'
import { createLogReader, type LogReader, type LogReaderOptions } from './log-reader.ts'

/** A reader of a stream that somebody else writes, or nobody any more: all it gets is in the log. */
export interface ResumedStream extends Pick<LogReader, 'close' | 'release' | 'detach'> {
  start(): void
}

export interface ResumedStreamOptions extends Omit<LogReaderOptions, 'onError'> {
  readonly onError: OnError
}

/** The log is looked at so often, whether or not it says that there is more. */
const lookMs = 3_000

export function resumeStream(options: ResumedStreamOptions): ResumedStream {
  const { rules, log, ref, output, after, onError } = options
  const { clock } = rules
  let stopWatching: (() => void) | undefined
  let timer: Disposable | undefined
  const reader = createLogReader({
    rules,
    log,
    ref,
    output,
    after,
    onError: (error) => onError(error, { severity: 'error', operation: 'event log' }),
    onClosed() {
      stopWatching?.()
      timer?.[Symbol.dispose]()
      options.onClosed()
    },
  })

  function look(): void {
    if (!reader.isOpen) return
    timer = clock.setTimer(look, lookMs)
    reader.wake()
  }

  return {
    start() {
      stopWatching = log.watch(ref, reader.wake)
      reader.begin()
      look()
      if (!reader.isOpen) stopWatching()
    },
    close: reader.close,
    release: reader.release,
    detach: reader.detach,
  }
}

import type { OnError } from '../../../rpc/errors/on-error.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import { errorResponse, type RequestId } from '../../../rpc/message.ts'
import { encodeWireError } from '../../../wire/error-codes.ts'
import { afterStore } from '../sessions/store-access.ts'
import type { Trace } from '../trace.ts'
import type { LogPage } from './event-log.ts'
import { encodeEventId, encodeEvent } from './sse.ts'
import { createStreamReader, type StreamReader, type StreamReaderOptions } from './stream-reader.ts'

/** A reader of a stream that somebody else writes, or nobody any more: all it gets is in the log. */
export interface ResumedStream extends Pick<StreamReader, 'close' | 'release' | 'detach'> {
  start(): void
}

export interface ResumedStreamOptions extends Omit<
  StreamReaderOptions,
  'onError' | 'onCaughtUp' | 'onGone'
> {
  /** The log is looked at so often, whether or not it says that there is more. */
  readonly pollMs: number
  readonly trace: Trace | undefined
  readonly onError: OnError
}

/** Ends the stream itself if it finds that its writer's process is lost. */
export function resumeStream(options: ResumedStreamOptions): ResumedStream {
  const { rules, log, ref, output, after, pollMs, trace, onError } = options
  const { clock } = rules
  let stopWatching: (() => void) | undefined
  let timer: Disposable | undefined
  let isEnding = false
  const reader: StreamReader = createStreamReader({
    rules,
    log,
    ref,
    output,
    after,
    onLast: options.onLast,
    onError: report,
    onCaughtUp: endIfDisconnected,
    onGone: onClosed,
    onClosed() {
      stopWatching?.()
      timer?.[Symbol.dispose]()
      options.onClosed()
    },
  })

  function report(error: unknown): void {
    onError(error, { severity: 'error', operation: 'event log' })
  }

  function poll(): void {
    if (!reader.isOpen) return
    timer = clock.setTimer(poll, pollMs)
    reader.wake()
  }

  /** The client has all that the writer sent. If there will be no more, it is told so, once. */
  function endIfDisconnected({ writer, about }: LogPage): void {
    const { ending } = log
    if (ending === undefined || writer === undefined || isEnding) return
    isEnding = true
    const last = { writer, after: reader.after }
    let answers: readonly string[] = []
    void afterStore(
      () => ending.endIfDisconnected(ref, last, makeTexts),
      (hasEnded) => {
        isEnding = false
        if (!hasEnded) return
        for (const json of answers) trace?.('out', json, ref.streamId)
        reader.wake()
      },
      (error) => {
        isEnding = false // the next look tries again
        report(error)
      },
    )

    function makeTexts(): readonly string[] {
      answers = lostResponses(about, processLost)
      return answers.map((json, index) =>
        encodeEvent(json, { id: encodeEventId(ref.streamId, last.after + 1 + index) }),
      )
    }
  }

  /** The store has lost it, or the reader was too slow for what is kept. It cannot come back for the rest. */
  function onClosed(): void {
    const answers = lostResponses(reader.about, eventsMissed)
    if (answers.length === 0) return reader.cut()
    reader.endWith(answers.map((json) => encodeEvent(json)))
  }

  return {
    start() {
      stopWatching = log.watch(ref, reader.wake)
      reader.begin()
      poll()
      if (!reader.isOpen) stopWatching()
    },
    close: reader.close,
    release: reader.release,
    detach: reader.detach,
  }
}

/** A request that is to be answered on a stream. */
export interface OpenRequest {
  readonly id: RequestId
  /** It may be sent again, whatever has been done of it. */
  readonly retryable: boolean
}

/** Describes open requests for the log, so that another process can respond if this one dies. */
export function encodeOpenRequests(open: readonly OpenRequest[]): string {
  return open.length === 0 ? '' : JSON.stringify(open)
}

/** The answers, as JSON, to requests that nobody will answer any more. */
export function lostResponses(about: string | undefined, why: string): readonly string[] {
  if (!about) return []
  const open = JSON.parse(about) as readonly OpenRequest[] // as `encodeOpenRequests` wrote it
  return open.map(({ id, retryable }) => {
    const error = new RpcError('node_lost', why, { data: { retryable } })
    return JSON.stringify(errorResponse(id, encodeWireError(error)))
  })
}

/** Why a stream was ended by another process than its own. */
const processLost = 'the process that worked on this request is gone'
/** Why a stream cannot go on. */
export const eventsMissed = 'what was sent for this request is no longer kept'
/** Why a stream was given up. */
export const storeAway = 'what is sent for this request could not be kept: the store is unreachable'

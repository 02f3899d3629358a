import type { RequestId } from '../../../rpc/message.ts'
import { type MessageSink, type RawMessage, alreadyReceived } from '../../../rpc/transport.ts'

/** Brings what many streams receive to one sink, in the order it arrived, at the pace of the sink. */
export interface InboundQueue {
  readonly isEnded: boolean
  /** Nothing, or a promise that resolves when the sink has caught up. */
  message(message: RawMessage): Promise<void> | void
  /** After every message that came before. */
  fail(id: RequestId, error: unknown): void
  /** Only the first call counts. */
  end(error?: unknown): void
  /** Once. */
  receive(sink: MessageSink): void
}

type Step =
  | { readonly kind: 'message'; readonly message: RawMessage }
  | { readonly kind: 'fail'; readonly id: RequestId; readonly error: unknown }
  | { readonly kind: 'end'; readonly error: unknown }

export function createInboundQueue(): InboundQueue {
  const queue: Step[] = []
  let sink: MessageSink | undefined
  let isPaused = false
  let isEnded = false
  let caughtUp: (() => void)[] = []

  /** A promise if the sink wants to be waited for. */
  function perform(step: Step): Promise<void> | void {
    switch (step.kind) {
      case 'message':
        return sink?.message(step.message)
      case 'fail':
        return sink?.fail?.(step.id, step.error)
      case 'end':
        return sink?.end(step.error)
    }
  }

  function put(step: Step): Promise<void> | void {
    queue.push(step)
    flush()
    if (queue.length === 0) return undefined
    return new Promise((resolve) => caughtUp.push(resolve))
  }

  function flush(): void {
    while (!isPaused && sink) {
      const step = queue.shift()
      if (step === undefined) break
      const pause = perform(step)
      if (!pause) continue
      isPaused = true
      void pause.then(() => {
        isPaused = false
        flush()
      })
    }
    if (queue.length > 0) return
    const waiting = caughtUp
    caughtUp = []
    for (const resolve of waiting) resolve()
  }

  return {
    get isEnded() {
      return isEnded
    },
    message: (message) => (isEnded ? undefined : put({ kind: 'message', message })),
    fail(id, error) {
      if (!isEnded) void put({ kind: 'fail', id, error })
    },
    end(error) {
      if (isEnded) return
      isEnded = true
      void put({ kind: 'end', error })
    },
    receive(receiver) {
      if (sink) throw alreadyReceived()
      sink = receiver
      flush()
    },
  }
}

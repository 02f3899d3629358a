import { batchRefusal, expectedOf } from './batch-replies.ts'
import type { Connection } from './connection.ts'
import type { RpcError } from './errors/rpc-error.ts'
import type {
  Batch,
  ErrorResponse,
  Malformed,
  Message,
  Notification,
  Request,
  ResultResponse,
  WireError,
} from './message.ts'
import type { MaybePromise } from './promise.ts'

/** Takes what a channel brings, a kind of message each. A returned promise means: bring nothing more until it resolves. */
export interface Receiver {
  request(request: Request): MaybePromise<unknown>
  notification(notification: Notification): MaybePromise<unknown>
  response(response: ResultResponse | ErrorResponse): void
  malformed(malformed: Malformed): void
  batch(batch: Batch): MaybePromise<unknown>
}

/** Hands one message to the method that takes its kind. */
export function receive(
  receiver: Receiver,
  message: Message | Malformed | Batch,
): MaybePromise<unknown> {
  switch (message.kind) {
    case 'request':
      return receiver.request(message)
    case 'notification':
      return receiver.notification(message)
    case 'result':
    case 'error':
      return receiver.response(message)
    case 'malformed':
      return receiver.malformed(message)
    case 'batch':
      return receiver.batch(message)
  }
}

export interface ReceiverOptions {
  readonly onRequest: (request: Request) => MaybePromise<void>
  /** Progress of our own requests is not among them. */
  readonly onNotification: (notification: Notification) => void
  /** The revision in force has batches. */
  readonly hasBatches: () => boolean
  readonly encodeError: (error: RpcError) => WireError
}

/** The receiving side of a client, and of whoever answers requests without a session. */
export function createReceiver(connection: Connection, options: ReceiverOptions): Receiver {
  const { own } = connection
  const receiver: Receiver = {
    request: options.onRequest,
    notification(message) {
      const isProgress = message.method === 'notifications/progress'
      // The call may just have ended; what goes on after it is known elsewhere, if at all.
      if (!isProgress || !own.progressed(message.params)) options.onNotification(message)
    },
    response: own.response,
    malformed(message) {
      if (message.isAnswerable) connection.refuse(message.id, options.encodeError(message.error))
      else own.unreadable(message)
    },
    batch: ({ members }) => {
      const refusal = batchRefusal(members, options.hasBatches())
      if (refusal) return connection.refuse(undefined, options.encodeError(refusal))
      const { ids, refusals } = expectedOf(members, options.encodeError)
      connection.openBatch(ids, refusals)
      for (const member of members) if (member.kind !== 'malformed') void receive(receiver, member)
    },
  }
  return receiver
}

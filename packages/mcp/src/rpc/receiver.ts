import type { Connection } from './connection.ts'
import type { RpcError } from './errors/rpc-error.ts'
import type { Batch, Malformed, Message, Notification, Request, WireError } from './message.ts'
import type { MaybePromise } from './promise.ts'
import type { RawMessage } from './transport.ts'

type Incoming = Message | Malformed | Batch

/**
 * Takes what a channel brings, a method for each kind, with what it was made of unless that was part of a batch. A returned
 * promise means: bring nothing more until it resolves.
 */
export type Receiver = {
  readonly [Kind in Incoming['kind']]: (
    message: Extract<Incoming, { readonly kind: Kind }>,
    raw?: Arrived,
  ) => MaybePromise<unknown>
}

/** A message as a channel received it. */
export type Arrived = RawMessage | RpcError

/** Hands a message to the method that takes its kind. */
export function receive(
  receiver: Receiver,
  message: Incoming,
  raw?: Arrived,
): MaybePromise<unknown> {
  return receiver[message.kind](message as never, raw) // the type of the receiver pairs them
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
  const { requests: own } = connection
  const receiver: Receiver = {
    request: options.onRequest,
    notification(message) {
      const isProgress = message.method === 'notifications/progress'
      // The call may just have ended; what goes on after it is known elsewhere, if at all.
      if (!isProgress || !own.progressed(message.params)) options.onNotification(message)
    },
    result: own.response,
    error: own.response,
    malformed(message) {
      if (message.isAnswerable) connection.reject(message.id, options.encodeError(message.error))
      else own.unreadable(message)
    },
    // One old revision has batches, and few servers of it send any: a page does not load this for nothing.
    async batch(message) {
      const { receiveBatch } = await import('./receive-batch.ts')
      receiveBatch(connection, receiver, message, options)
    },
  }
  return receiver
}

import { batchRejection, createBatchReplies, expectedOf } from './batches.ts'
import type { Connection } from './connection.ts'
import type { Batch } from './message.ts'
import { receive, type Receiver, type ReceiverOptions } from './receiver.ts'

/** Takes a batch for a client: its answers go out together. */
export function receiveBatch(
  connection: Connection,
  receiver: Receiver,
  { members }: Batch,
  { hasBatches, encodeError }: ReceiverOptions,
): void {
  const rejection = batchRejection(members, hasBatches())
  if (rejection) return connection.reject(undefined, encodeError(rejection))
  const { ids, rejections } = expectedOf(members, encodeError)
  connection.openBatch(ids, rejections, createBatchReplies)
  for (const member of members) if (member.kind !== 'malformed') void receive(receiver, member)
}

import type { RequestId } from '../../rpc/message.ts'
import type { PendingOptions } from '../../rpc/pending-requests.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import type { Answers } from '../calls/call.ts'
import type { Caller, CallerFacts } from '../calls/caller.ts'

/** How one caller is reached while it waits: a whole connection, or the stream of one request. */
export interface CallerChannel {
  notify(method: string, params?: JsonObject): void
  /** Sends what belongs to no request of the caller's. Absent: `notify` does it too. */
  tell?(method: string, params: JsonObject): void
  request(
    method: string,
    params: JsonObject | undefined,
    options: PendingOptions,
  ): Promise<JsonObject>
  /** What to wait for while the peer reads more slowly than we write. */
  room(): Promise<void> | undefined
  /** False when what waits for the peer is all that may wait. Absent: `room` says it too. */
  hasSpace?(): boolean
  /** Lets go of the connection while the work goes on; the peer comes back for the rest. Absent where it cannot. */
  release?(retryMs?: number): void
}

/** Where the messages of a peer come from and its answers go: one connection, or one POST. */
export interface PeerChannel extends CallerChannel, Answers {
  /** Who sends what arrives now, where that may differ from who opened the session. */
  readonly facts: CallerFacts
  /** The caller made of these, once a request has needed it. */
  caller: Caller | undefined
  /** From now on the answers to these requests go out together, behind errors for what is no message. */
  openBatch(ids: readonly RequestId[], refusals: readonly object[]): void
  /** Refuses a request of a caller that has too many at once. Absent: `refuse` does it too. */
  refuseBusy?: Answers['refuse']
}

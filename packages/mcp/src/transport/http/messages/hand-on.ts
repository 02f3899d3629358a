import { HeldBytes } from '../../../rpc/byte-account.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import type { MaybePromise } from '../../../rpc/promise.ts'
import { createSharedTimer } from '../../../rpc/time/clock.ts'
import { noRoom } from '../admission/capacity.ts'
import { HttpRefusal } from '../admission/http-errors.ts'
import type { ClusterMail, ClusterMessageTypes } from '../cluster-mail.ts'
import type { SharedService } from '../service.ts'
import { afterStore } from '../sessions/store-access.ts'

/**
 * Hands what a client said to the process that it is for, or to all of them. It counts for the client for as long as it may
 * be kept on the way. Throws 429 if that is too much, 503 if it cannot be kept now; then the client may send it again.
 */
export type HandOn = <Type extends keyof ClusterMessageTypes>(
  account: string,
  type: Type,
  message: ClusterMessageTypes[Type],
  to?: string,
) => MaybePromise<void>

/** As long as messages are kept for a process that is cut off. */
const keptMs = 60_000
/** What a message takes besides its text. */
const messageBytes = 512

export function createHandOn(
  { bytes, onError, clock }: Pick<SharedService, 'bytes' | 'onError' | 'clock'>,
  mail: ClusterMail,
): HandOn {
  const over = createSharedTimer(clock, keptMs)

  return (account, type, message, to) => {
    const held = new HeldBytes(bytes, account)
    const refusal = held.reserve(messageBytes + 2 * JSON.stringify(message).length)
    if (refusal) throw noRoom(refusal)
    return afterStore(
      () => mail.send(type, message, to),
      () => void over.after(() => held.close()),
      (error) => {
        held.close()
        onError(error, { severity: 'error', operation: 'store' })
        throw unavailable()
      },
    )
  }
}

function unavailable(): HttpRefusal {
  const why = 'the process that this is for cannot be told now: send it again'
  const error = new RpcError('overloaded', why, { data: { retryAfterMs: 1_000 } })
  return new HttpRefusal(503, error, { 'retry-after': '1' })
}

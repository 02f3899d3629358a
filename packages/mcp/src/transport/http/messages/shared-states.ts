import type { OnError } from '../../../rpc/errors/error-report.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import type { StateSecrets } from '../../../server/input/request-state.ts'
import type { SingleUseSet } from '../../../server/input/single-use.ts'
import type { Cluster } from '../cluster.ts'

/** States that every process of a cluster opens, by the secrets of the service or the cluster's, and uses once in all. */
export function shareStates(
  own: StateSecrets,
  { secrets, once }: Pick<Cluster, 'secrets' | 'once'>,
  onError: OnError,
): StateSecrets {
  return { ...own, secrets: own.secrets ?? secrets, used: reporting(once, onError) }
}

/** A store that cannot be reached is no fault of the call. */
function reporting(once: SingleUseSet, onError: OnError): SingleUseSet {
  return {
    async add(key, ttlMs) {
      try {
        return await once.add(key, ttlMs)
      } catch (error) {
        onError(error, { severity: 'error', operation: 'store' })
        const why =
          'whether requestState has been used before cannot be known now: call again later'
        throw new RpcError('overloaded', why, { data: { retryAfterMs: 1_000 } })
      }
    },
  }
}

import type { Context } from '@parley/mcp/server'
import type { FetchProgress } from '@parley/server-kit/fetch'

/** So much comes between two notices. */
const everyBytes = 128 * 1024

/** Tells the caller how far a download has come, now and then. */
export function reportProgress({ progress }: Pick<Context, 'progress'>) {
  let reported = 0
  return ({ received, total }: FetchProgress): void => {
    if (received - reported < everyBytes && received !== total) return
    reported = received
    void progress({
      progress: received,
      ...(total !== undefined && { total }),
      message: `${received} bytes`,
    })
  }
}

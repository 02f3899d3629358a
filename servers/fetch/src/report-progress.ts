import type { Context } from '@parley/mcp/server'
import type { FetchProgress } from '@parley/server-kit/fetch'

/** So much comes between two notices. */
const everyBytes = 128 * 1024

/** Tells the caller how far a download has come, now and then. */
export function reportProgress({ progress }: Pick<Context, 'progress'>) {
  let told = 0
  return ({ received, total }: FetchProgress): void => {
    if (received - told < everyBytes && received !== total) return
    told = received
    void progress({
      progress: received,
      ...(total !== undefined && { total }),
      message: `${received} bytes`,
    })
  }
}

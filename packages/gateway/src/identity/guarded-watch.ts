import { isMcpError, isRpcError } from '@parley/mcp'
import type { ProxyWatch } from '@parley/mcp/proxy'

/**
 * Looks at a server without credentials: one that wants some is there, and says nothing to a stranger. One that shows its
 * lists to everybody shows them here too.
 */
export function guardedWatch(watch: ProxyWatch): ProxyWatch {
  let isRejected = false
  return {
    async open() {
      try {
        const opened = await watch.open()
        isRejected = false
        return opened
      } catch (error) {
        const cause = isRpcError(error) ? error.cause : error
        if (!isMcpError(cause, 'unauthorized')) throw error
        isRejected = true
        return { capabilities: {} }
      }
    },
    async list(method) {
      return isRejected ? [] : watch.list(method)
    },
    close: () => watch.close(),
  }
}

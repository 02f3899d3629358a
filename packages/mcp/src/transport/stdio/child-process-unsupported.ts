import type { CommandEntry } from '../../client/server-entry.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'

/** Stands in for `spawnTransport` where there are no child processes, such as a browser; always rejects. */
export function spawnTransport(entry: CommandEntry): Promise<never> {
  const message = `starting ${entry.command} needs child processes, which this runtime does not have`
  return Promise.reject(
    new McpError('unsupported_runtime', message, {
      details: { needs: 'node:child_process' },
      hint: 'Connect to a URL instead, or run this on Node.',
    }),
  )
}

import { McpError } from '../../rpc/errors/mcp-error.ts'

/** Stands in for `loadWs` where that package cannot run, such as a browser; always rejects. */
export function loadWs(): Promise<never> {
  const message = 'this needs the package ws, which runs on Node only'
  return Promise.reject(
    new McpError('unsupported_runtime', message, {
      details: { needs: 'ws' },
      hint: 'The global WebSocket takes no headers; on a server, use checkUpgrade() with the runtime’s own upgrade.',
    }),
  )
}

import type { ConnectOptions } from '../client/options.ts'
import type { CommandEntry } from '../client/server-entry.ts'
import { McpError } from '../rpc/errors/mcp-error.ts'
import type { Transport } from '../rpc/transport.ts'
import type { Server } from '../server/server.ts'

// Targets without an address. Loaded when needed: a page has no use for it.

/** How a target is opened, each time it has to be. */
export function openerOf(
  target: unknown,
  options: ConnectOptions,
): () => Transport | Promise<Transport> {
  if (typeof target !== 'object' || target === null) throw noTarget(target)
  if ('~serve' in target) return () => serveInProcess(target as Server, options) // its mark
  if ('send' in target) return once(target as Transport) // the one member others lack
  if ('command' in target) return () => spawn(target as CommandEntry, options) // the same
  throw noTarget(target)
}

/** A command is the same server if it is called in the same way; what it answers may still depend on who calls. */
export function commandName(target: unknown): string | undefined {
  if (typeof target !== 'object' || target === null || !('command' in target)) return undefined
  const { command, args = [] } = target as CommandEntry // the one member others lack
  return JSON.stringify([command, args])
}

function noTarget(target: unknown): McpError {
  return new McpError(
    'invalid_target',
    'connect() takes a URL, a server, a transport, or { command, args }',
    { details: { target: JSON.stringify(target) ?? String(target) } },
  )
}

/** A connection to a definition in this process, each time it is called; no bytes are made. */
export async function serveInProcess(
  server: Server,
  { clock, limits }: ConnectOptions = {},
): Promise<Transport> {
  const { createTransportPair } = await import('./memory.ts')
  const [ours, theirs] = createTransportPair()
  server['~serve'](theirs, { clock, limits })
  return { ...ours, peer: server.info.name }
}

/** A transport cannot be opened twice. */
function once(transport: Transport): () => Transport {
  let isUsed = false
  return () => {
    if (isUsed) {
      throw new McpError('closed', 'a transport cannot be opened again', { details: undefined })
    }
    isUsed = true
    return transport
  }
}

async function spawn(entry: CommandEntry, options: ConnectOptions): Promise<Transport> {
  const { spawnTransport } = await import('#child-process')
  const stopMs = options.timeouts?.stopMs
  return spawnTransport(entry, {
    onStderr: options.onStderr,
    onError: options.onError,
    messageBytes: options.limits?.messageBytes,
    bufferedBytes: options.limits?.bufferedBytes,
    ...(stopMs !== undefined && { stop: { stdinMs: stopMs, termMs: stopMs } }),
  })
}

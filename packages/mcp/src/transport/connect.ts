import type { Client } from '../client/client.ts'
import { createClient } from '../client/create-client.ts'
import type { ConnectOptions } from '../client/options.ts'
import type { CommandEntry, ServerEntry } from '../client/server-entry.ts'
import { McpError } from '../rpc/mcp-error.ts'
import type { Transport } from '../rpc/transport.ts'
import type { AnyTools, ToolMap } from '../schema/tool-map.ts'
import type { Server } from '../server/server.ts'
import { createTransportPair } from './memory.ts'

/** Connects to a definition in this process; no bytes are made. Its `features` type the client. */
export function connect<App, Tools extends ToolMap<Tools>>(
  server: Server<App, Tools>,
  options?: ConnectOptions,
): Promise<Client<Tools>>
/** Connects to an entry of a configuration file (or a command), or a transport. Resolves when usable. */
export function connect<Tools extends ToolMap<Tools> = AnyTools>(
  target: string | URL | ServerEntry | Transport,
  options?: ConnectOptions,
): Promise<Client<Tools>>
export async function connect(
  target: string | URL | ServerEntry | Transport | Server,
  options: ConnectOptions = {},
): Promise<Client> {
  return createClient(opener(target, options), options)
}

/** How a target is opened, each time it has to be. */
function opener(
  target: string | URL | ServerEntry | Transport | Server,
  options: ConnectOptions,
): () => Transport | Promise<Transport> {
  if (typeof target === 'string' || target instanceof URL) throw noNetworkYet(String(target))
  if (typeof target !== 'object' || target === null) throw noTarget(target)
  if ('~serve' in target) return () => serveInProcess(target, options)
  if ('send' in target) return once(target)
  if ('command' in target) return () => spawn(target, options)
  if ('url' in target) throw noNetworkYet(target.url)
  throw noTarget(target)
}

function noTarget(target: unknown): McpError {
  return new McpError(
    'invalid_target',
    'connect() takes a server, a transport, or { command, args }',
    { details: { target: JSON.stringify(target) ?? String(target) } },
  )
}

function serveInProcess(server: Server, { clock, limits }: ConnectOptions): Transport {
  const [ours, theirs] = createTransportPair()
  server['~serve'](theirs, { clock, limits })
  return ours
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
  return spawnTransport(entry, {
    onStderr: options.onStderr,
    onNoise: (line) => options.onError?.(noise(line, entry.command), { severity: 'warning' }),
    messageBytes: options.limits?.messageBytes,
    bufferedBytes: options.limits?.bufferedBytes,
  })
}

function noise(line: string, command: string): McpError {
  return new McpError(
    'invalid_message',
    `${command} wrote something to its stdout that is no message`,
    {
      details: { excerpt: line },
      hint: 'Servers log to stderr; stdout carries messages.',
    },
  )
}

function noNetworkYet(target: string): McpError {
  const isUrl = /^(https?|wss?):/.test(target)
  return new McpError(
    'invalid_target',
    isUrl
      ? `cannot connect to ${target}: this version has no network transport`
      : `${JSON.stringify(target)} is no URL; a command is written { command: 'node', args: ['server.js'] }`,
    { details: { target } },
  )
}

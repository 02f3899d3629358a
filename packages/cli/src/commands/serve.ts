import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { errorMessage } from '@parley/mcp/json'
import type { Server } from '@parley/mcp/server'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { allowTypeScript } from '../dev/load-typescript.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, type CommonFlags, portNumber } from '../flags.ts'
import type { Io } from '../io.ts'
import { ensureTypeScript, isTypeScript } from '../native.ts'

interface ServeFlags extends CommonFlags {
  readonly http?: number | boolean | undefined
  readonly port?: number | undefined
  readonly host?: string | undefined
  readonly path?: string | undefined
  readonly processes?: number | 'auto' | undefined
}

/** It starts no server by a command. */
export const dashes = 'words'

/** `parley serve` */
export function build(context: CommandContext): Command {
  const command = newCommand('serve', 'Serves the server that a file exports.', [
    ['parley serve server.js', 'over standard input and output'],
    [
      'parley serve server.ts --http 3000',
      'at http://127.0.0.1:3000/mcp; TypeScript needs no build',
    ],
  ])
  return addOutputFlags(command)
    .argument('<file>', 'a module that exports what createServer() gave')
    .option(
      '--http [port]',
      'serve over HTTP on this port (default 3000; 0 picks a free one)',
      portNumber,
    )
    .option('--port <number>', 'the same as --http PORT', portNumber)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--path <path>', 'the path of the endpoint', '/mcp')
    .option(
      '--processes <number>',
      'the number of processes that serve HTTP; auto is one per core',
      processCount,
    )
    .action(async (file: string, flags: ServeFlags) => {
      const server = await loadServer(resolve(context.io.cwd, file), context.io)
      await serve(server, flags, context)
    })
}

async function serve(server: Server, flags: ServeFlags, { io }: CommandContext): Promise<void> {
  if (flags.http === undefined && flags.port === undefined) {
    if (flags.processes !== undefined) {
      throw new CliError('error', '--processes needs --http: standard input has one reader')
    }
    const { serveStdio } = await import('@parley/mcp/stdio')
    await serveStdio(server).closed
    return
  }
  const port = portOf(flags)
  const { serveHttp } = await import('@parley/mcp/node')
  const { host = '127.0.0.1', path = '/mcp', processes } = flags
  const service = await serveHttp(server, { port, host, path, processes, ownsProcess: false })
  const { href } = service.url
  // Of several processes, the first one speaks for all.
  const isChild = processes !== undefined && (await import('node:cluster')).default.isWorker
  if (flags.json && !isChild)
    io.stdout.write(`${JSON.stringify({ name: server.info.name, url: href })}\n`)
  else if (flags.quiet !== true && !isChild)
    io.stderr.write(`${server.info.name} listens on ${href}\n`)
  await new Promise<void>((ended) => {
    if (io.signal.aborted) ended()
    io.signal.addEventListener('abort', () => ended(), { once: true })
    void service.closed.then(ended) // a parent ends its children
  })
  await service.drain()
}

function portOf({ http, port }: ServeFlags): number {
  if (typeof http === 'number' && port !== undefined && http !== port) {
    throw new CliError('error', `--http ${http} and --port ${port} name different ports`)
  }
  return port ?? (typeof http === 'number' ? http : 3000)
}

function processCount(text: string): number | 'auto' {
  const count = Number(text)
  if (text === 'auto') return text
  if (/^\d{1,4}$/.test(text) && count >= 1 && count <= 1_024) return count
  throw new CliError('error', `--processes ${text} is out of range: use 1 to 1024, or auto`)
}

/** The one server that a module exports, whatever it calls it. */
async function loadServer(file: string, io: Io): Promise<Server> {
  let module: { readonly [name: string]: unknown }
  try {
    if (isTypeScript(file)) {
      await ensureTypeScript(io)
      allowTypeScript()
    }
    module = (await import(pathToFileURL(file).href)) as { readonly [name: string]: unknown } // any module is one
  } catch (error) {
    throw notLoaded(file, error)
  }
  const found = [...new Set(Object.values(module).filter(isServer))]
  const [server] = found
  if (server !== undefined && found.length === 1) return server
  const what = found.length === 0 ? 'exports no server' : `exports ${found.length} servers`
  throw new CliError('error', `${file} ${what}`, {
    hint: 'Export one: export const server = createServer({ … }). Put a program that serves by itself after --.',
  })
}

function isServer(value: unknown): value is Server {
  return typeof value === 'object' && value !== null && '~serve' in value
}

function notLoaded(file: string, error: unknown): CliError {
  const message = errorMessage(error)
  return new CliError('error', `${file} cannot be loaded: ${message}`, { cause: error })
}

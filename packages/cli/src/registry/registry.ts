import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { addOutputFlags, collect, portNumber } from '../flags.ts'
import type { ServeFlags } from './serve.ts'

/** `parley registry` */
export function build(context: CommandContext): Command {
  const serveCommand = newCommand('serve', 'Serves a registry of MCP servers.')
    .option('--port <number>', 'the port to listen on; 0 picks a free one', portNumber, 8080)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--public', 'listen on anything but loopback')
    .option('--database <address>', 'a file of SQLite, or a postgres: URL')
    .option('--read-only', 'refuse everything that would change something')
    .optionsGroup('Publishers:')
    .option('--sign-in <way>', 'dns, http, github or anonymous; may be repeated', collect)
    .option('--keys <file>', 'publishers with keys of their own')
    .option('--ownership', 'ask the homes of packages whether they belong to the server')
    .option('--npm <url>', 'where npm packages are asked')
    .option('--pypi <url>', 'where Python packages are asked')
    .option('--nuget <url>', 'where .NET packages are asked')
    .option('--cargo <url>', 'where Rust packages are asked')
    .optionsGroup('')
  addOutputFlags(serveCommand).action(async (flags: ServeFlags) => {
    const { serve } = await import('./serve.ts')
    await serve(flags, context)
  })

  return newCommand('registry', 'Serves a registry of MCP servers.', [
    [
      'parley registry serve --sign-in anonymous',
      'at http://127.0.0.1:8080, for trying things out',
    ],
    ['parley registry serve --database postgres://registry@db/registry', 'on PostgreSQL'],
  ]).addCommand(serveCommand)
}

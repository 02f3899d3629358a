import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { addOutputFlags, collect, portNumber } from '../flags.ts'
import { buildKeys } from '../gateway/keys.ts'
import type { DocumentFlags, StatusFlags } from './documents.ts'
import type { LoginFlags } from './login.ts'
import type { MirrorFlags } from './mirror.ts'
import { operatorCommands } from './operator-commands.ts'
import type { ServeFlags } from './serve.ts'

/** `parley registry` */
export function build(context: CommandContext): Command {
  const serveCommand = newCommand('serve', 'Serves a registry of MCP servers.')
    .option('--port <number>', 'the port to listen on; 0 picks a free one', portNumber, 8080)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--public', 'listen on anything but loopback')
    .option(
      '--trusted-proxy <address>',
      'a proxy, or a range, whose X-Forwarded-For names the caller; may be repeated',
      collect,
    )
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
    .option('--remote-cards <how>', 'read the cards of remotes: note or require')
    .option('--look-alikes <how>', 'names that look like those of others: flag or refuse')
    .option('--github-client-id <id>', 'for `parley registry login github` in a browser')
    .optionsGroup('Readers:')
    .option('--read-keys <file>', 'answer holders of these API keys only')
    .option('--read-issuer <url>', 'answer holders of tokens of this authorization server only')
    .optionsGroup('Mirrors:')
    .option('--mirror <url>', 'take over what another registry has; may be repeated', collect)
    .option('--mirror-every <minutes>', 'how often it is asked for changes', '60')
    .option('--mirror-key <key>', 'its public key, base64: take only what its signed index has')
    .option('--allow <pattern>', 'mirror only these names; may be repeated', collect)
    .option('--deny <pattern>', 'do not mirror these names; may be repeated', collect)
    .optionsGroup('Operating:')
    .option('--url <url>', 'where others reach it')
    .option('--index-key <file>', 'sign an index with this key: Ed25519, in hexadecimal')
    .option('--audit <file>', 'write changes and decisions to this log')
    .option('--icons', 'let the page load icons of publishers from their addresses')
    .option('--metrics', 'serve counters at /metrics')
    .optionsGroup('')
  addOutputFlags(serveCommand).action(async (flags: ServeFlags) => {
    const { serve } = await import('./serve.ts')
    await serve(flags, context)
  })

  const asking = (command: Command) =>
    addOutputFlags(command.option('--registry <url>', 'the registry to ask'))
  const initCommand = addOutputFlags(
    newCommand('init', 'Writes a server.json from what the project says of itself.')
      .option('--name <name>', 'the name to publish under, such as io.github.ada/weather')
      .option('--force', 'replace a server.json that is there'),
  ).action(async (flags: DocumentFlags) => {
    const { initDocument } = await import('./documents.ts')
    await initDocument(flags, context)
  })
  const validateCommand = addOutputFlags(
    newCommand('validate', 'Validates a server.json.').argument(
      '[file]',
      'the document',
      'server.json',
    ),
  ).action(async (file: string, flags: DocumentFlags) => {
    const { validate } = await import('./documents.ts')
    await validate(file, flags, context)
  })
  const loginCommand = asking(
    newCommand('login', 'Signs in to a registry. The session lasts a few minutes.')
      .argument('<way>', 'dns, http, key, github, github-oidc or anonymous')
      .option('--domain <domain>', 'for dns and http: the domain that is yours')
      .option('--key <name>', 'for key: what the registry calls your key')
      .option('--key-file <file>', 'your private key in hexadecimal')
      .option('--record', 'print what to publish for the key, and do nothing else')
      .option('--print-token', "print the token, for the registry's page, instead of keeping it"),
  ).action(async (way: string, flags: LoginFlags) => {
    const { login } = await import('./login.ts')
    await login(way, flags, context)
  })
  const publishCommand = asking(
    newCommand('publish', 'Publishes a version. In a terminal it asks for what is missing.', [
      ['parley publish', 'server.json of this folder'],
      ['parley publish --dry-run', 'asks whether the registry would accept it'],
    ])
      .argument('[file]', 'the document', 'server.json')
      .option('--dry-run', 'only ask whether the registry would accept it'),
  ).action(async (file: string, flags: DocumentFlags) => {
    const { publish } = await import('./publish.ts')
    await publish(file, flags, context)
  })
  const statusCommand = asking(
    newCommand('status', 'Deprecates, deletes or restores versions.')
      .argument('<name>', 'the server')
      .argument('[version]', 'the version')
      .option('--status <status>', 'active, deprecated or deleted')
      .option('--message <text>', 'why, for users')
      .option('--all-versions', 'all versions at once'),
  ).action(async (name: string, version: string | undefined, flags: StatusFlags) => {
    const { changeStatus } = await import('./documents.ts')
    await changeStatus(name, version, flags, context)
  })

  const syncCommand = addOutputFlags(
    newCommand('sync', 'Takes over what has changed at another registry.')
      .argument('<url>', 'the other registry')
      .option('--database <address>', 'the database of the mirror')
      .option('--id <name>', 'what the mirror calls it; its host by default')
      .option(
        '--allow <pattern>',
        'only these names; com.example/* for many; may be repeated',
        collect,
      )
      .option('--deny <pattern>', 'not these names; may be repeated', collect)
      .option('--key <key>', 'its public key, base64: take only what its signed index has'),
  ).action(async (url: string, flags: MirrorFlags) => {
    const { sync } = await import('./mirror.ts')
    await sync(url, flags, context)
  })
  const exportCommand = addOutputFlags(
    newCommand('export', 'Writes a registry as plain files for any web server.')
      .argument('<folder>', 'where to')
      .option('--database <address>', 'the database of the registry')
      .option('--index-key <file>', 'sign an index with this key: Ed25519, in hexadecimal'),
  ).action(async (folder: string, flags: MirrorFlags) => {
    const { exportFiles } = await import('./mirror.ts')
    await exportFiles(folder, flags, context)
  })

  const registry = newCommand(
    'registry',
    'Publishes to a registry of MCP servers, or serves one.',
    [
      [
        'parley registry serve --sign-in anonymous',
        'at http://127.0.0.1:8080, for trying things out',
      ],
      ['parley registry serve --database postgres://registry@db/registry', 'on PostgreSQL'],
      ['parley registry init', 'writes server.json'],
      [
        'parley registry login dns --domain example.com --key-file key.hex',
        'to publish com.example/*',
      ],
      ['parley registry publish', 'what server.json says'],
    ],
  )
    .addCommand(initCommand)
    .addCommand(validateCommand)
    .addCommand(loginCommand)
    .addCommand(publishCommand)
    .addCommand(statusCommand)
    .addCommand(serveCommand)
    .addCommand(syncCommand)
    .addCommand(exportCommand)
  for (const command of operatorCommands(context)) registry.addCommand(command)
  registry.addCommand(buildKeys(context, 'registry'))
  return registry
}

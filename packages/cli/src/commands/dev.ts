import { existsSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import { execPath } from 'node:process'

import { safeText } from '@parley/foundation/terminal'
import type { CommandEntry } from '@parley/mcp/client'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { watchSources } from '../dev/watch-sources.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, collect, positiveNumber, readPair, type CommonFlags } from '../flags.ts'
import { mainFile } from '../main-file.ts'
import { createPrinter } from '../output/printer.ts'

interface DevFlags extends CommonFlags {
  readonly watch?: string | undefined
  readonly port?: number | undefined
  readonly open?: boolean | undefined
}

/** `parley dev` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'dev',
    'Runs a server from its source with the inspector beside it, and starts it anew whenever a file changes. TypeScript needs no build.',
    [
      ['parley dev server.ts', 'a module that exports what createServer() gave'],
      ['parley dev -- python server.py', 'any command, started anew on changes in this folder'],
    ],
  )
  return addOutputFlags(command)
    .argument('[file]', 'a module that exports what createServer() gave')
    .usage('[file] [options] [-- command]')
    .option('--watch <folder>', 'where changes count; the folder of the file unless told otherwise')
    .option('-e, --env <pair>', 'a variable for the server, NAME=value; may be repeated', collect)
    .option('--port <number>', 'the port of the inspector', positiveNumber)
    .option('--no-open', 'open no browser')
    .action((file: string | undefined, flags: DevFlags) => develop(file, flags, context))
}

async function develop(
  file: string | undefined,
  flags: DevFlags,
  context: CommandContext,
): Promise<void> {
  const { io } = context
  const printer = createPrinter(io, flags)
  const { name, entry, folder } = findSource(file, flags, context)
  const { startInspector } = await import('@parley/inspector')
  await using inspector = await startInspector({
    servers: [{ name, entry, source: 'parley dev', connect: true }],
    noOpen: flags.open === false,
    ...(flags.port !== undefined && { port: flags.port }),
  })
  if (printer.isJson) printer.jsonLine({ event: 'ready', url: inspector.url, watching: folder })
  else {
    printer.line(`inspector  ${inspector.url}`)
    printer.line(`watching   ${folder}`)
  }

  const watching = watchSources(folder, (changed) => void restart(changed))
  async function restart(changed: string): Promise<void> {
    const started = performance.now()
    try {
      await inspector.restart(name)
      const ms = Math.round(performance.now() - started)
      if (printer.isJson) printer.jsonLine({ event: 'restarted', changed, ms })
      else printer.line(`${safeText(changed)} changed: running anew after ${ms} ms`)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      if (printer.isJson) printer.jsonLine({ event: 'failed', changed, why })
      else printer.line(`${safeText(changed)} changed: ${printer.colors.red(safeText(why))}`)
    }
  }
  await new Promise<void>((ended) => {
    if (io.signal.aborted) ended()
    io.signal.addEventListener('abort', () => ended(), { once: true })
  })
  watching.close()
}

interface Source {
  readonly name: string
  readonly entry: CommandEntry
  readonly folder: string
}

function findSource(
  file: string | undefined,
  flags: DevFlags,
  { io, serverCommand }: CommandContext,
): Source {
  const env = Object.fromEntries((flags.env ?? []).map((pair) => readPair(pair, '-e')))
  if (serverCommand !== undefined) {
    const [command = '', ...args] = serverCommand
    const folder = resolve(io.cwd, flags.watch ?? '.')
    return { name: basename(command), entry: { command, args, env, cwd: io.cwd }, folder }
  }
  if (file === undefined) {
    throw new CliError('error', 'which server?', {
      hint: 'parley dev server.ts, or a command behind --',
    })
  }
  const path = resolve(io.cwd, file)
  if (!existsSync(path)) throw new CliError('error', `there is no file ${file}`)
  const folder = resolve(io.cwd, flags.watch ?? dirname(path))
  const args = [mainFile(), 'serve', relative(io.cwd, path) || path]
  return { name: basename(path), entry: { command: execPath, args, env, cwd: io.cwd }, folder }
}

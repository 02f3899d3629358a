import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

import { safeText } from '@parley/foundation/terminal'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { findSource } from '../dev/find-source.ts'
import { inTurn } from '../dev/in-turn.ts'
import { watchSources } from '../dev/watch-sources.ts'
import { diagnose } from '../doctor/diagnose.ts'
import { describeFailure } from '../exit.ts'
import { addOutputFlags, collect, portNumber, milliseconds, type CommonFlags } from '../flags.ts'
import { recordingFile } from '../inspect/recording-file.ts'
import { serverSettings } from '../inspect/server-settings.ts'
import { followKeys, keysHint } from '../inspect/terminal-keys.ts'
import { ensureTypeScript, isTypeScript } from '../native.ts'
import { createPrinter, type Printer } from '../output/printer.ts'

interface DevFlags extends CommonFlags {
  readonly watch?: readonly string[] | undefined
  readonly port?: number | undefined
  readonly open?: boolean | undefined
}

/** `parley dev` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'dev',
    'Runs a server from its source with the inspector beside it, and restarts it whenever a file changes. TypeScript needs no build.',
    [
      ['parley dev server.ts', 'a module that exports what createServer() gave'],
      ['parley dev -- python server.py', 'any command, restarted on changes in this folder'],
      [
        'parley dev --watch dist -- node dist/main.js',
        'restarts when another program has built it',
      ],
    ],
  )
  return addOutputFlags(command)
    .argument('[file]', 'a module that exports what createServer() gave')
    .usage('[file] [options] [-- command]')
    .option(
      '--watch <folder>',
      'a folder to watch, instead of the folder of the file; may be repeated',
      collect,
    )
    .option('--cwd <folder>', 'the working directory of the server')
    .option('-e, --env <pair>', 'a variable for the server, NAME=value; may be repeated', collect)
    .option('--era <era>', 'auto, legacy, modern, or a revision such as 2025-06-18')
    .option('--root <folder>', 'a root to offer the server; may be repeated', collect)
    .option('--timeout <time>', 'how long an answer may take, such as 5s', milliseconds)
    .option('--trace <file>', 'record everything to this file')
    .option(
      '--port <number>',
      'the port of the inspector; 6274, or the next that is free',
      portNumber,
    )
    .option('--no-open', 'do not open a browser')
    .action((file: string | undefined, flags: DevFlags) => develop(file, flags, context))
}

async function develop(
  file: string | undefined,
  flags: DevFlags,
  context: CommandContext,
): Promise<void> {
  const { env, signal, stdin } = context.io
  const printer = createPrinter(context.io, flags)
  const { name, entry, folders } = findSource(file, flags, context)
  if (file !== undefined && isTypeScript(file)) await ensureTypeScript(context.io)
  const { startInspector } = await import('@parley/inspector')
  await using inspector = await startInspector({
    servers: [{ name, entry, source: 'parley dev', settings: serverSettings(flags, context.io) }],
    record: await recordingFile(flags.trace, context.io),
    noOpen: flags.open === false,
    port: flags.port,
    diagnose,
    ...(env['PARLEY_STATE'] && { stateDirectory: join(env['PARLEY_STATE'], 'inspector') }),
  })
  if (printer.isJson) printer.jsonLine({ event: 'ready', url: inspector.url, watching: folders })
  else {
    printer.line(`inspector  ${inspector.url}`)
    for (const folder of folders) printer.line(`watching   ${folder}`)
    if (stdin.isTTY === true) printer.note(keysHint)
  }
  const keys = printer.isJson
    ? undefined
    : followKeys({ inspector, stdin, print: (line) => printer.line(line) })

  const start = inTurn(async (changed: string | undefined) => {
    const startedAt = performance.now()
    try {
      await inspector.restart(name)
      tellStart(changed, Math.round(performance.now() - startedAt), printer)
    } catch (error) {
      if (!signal.aborted) tellFailure(changed, error, printer)
    }
  })
  const watching = folders.map((folder) => watchSources(folder, start))
  start(undefined)
  await new Promise<void>((ended) => {
    if (signal.aborted) ended()
    signal.addEventListener('abort', () => ended(), { once: true })
  })
  keys?.[Symbol.dispose]()
  for (const item of watching) item.close()
}

function tellStart(changed: string | undefined, ms: number, printer: Printer): void {
  if (printer.isJson) {
    return printer.jsonLine(
      changed === undefined ? { event: 'started', ms } : { event: 'restarted', changed, ms },
    )
  }
  const why = changed === undefined ? 'running' : `${safeText(changed)} changed: restarted`
  printer.line(`${why} after ${ms} ms`)
}

/** The next change is the next attempt. */
function tellFailure(changed: string | undefined, error: unknown, printer: Printer): void {
  const { message, details } = describeFailure(error)
  const stderr = typeof details?.['stderr'] === 'string' ? details['stderr'].trimEnd() : undefined
  if (printer.isJson) return printer.jsonLine({ event: 'failed', changed, message, stderr })
  const what = changed === undefined ? 'the server does not start' : `${changed} changed`
  printer.line(`${safeText(what)}: ${printer.colors.red(safeText(message))}`)
  if (stderr === undefined) return
  for (const line of stderr.split('\n').slice(-30)) {
    printer.line(printer.colors.dim(`  | ${safeText(line, { multiline: false, lineLength: 400 })}`))
  }
}

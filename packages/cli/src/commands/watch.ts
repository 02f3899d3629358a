import { safeText } from '@parley/foundation/terminal'
import { loggingLevels, type LoggingLevel, type LogMessage } from '@parley/mcp'
import type { ServerChange } from '@parley/mcp/client'
import { anySignal } from '@parley/mcp/signals'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { withServer } from '../connection.ts'
import { CliError } from '../exit.ts'
import { addTargetFlags, collect, positiveNumber, seconds, type CommonFlags } from '../flags.ts'
import { createPrinter } from '../output/printer.ts'
import { onlyTarget } from '../target/target.ts'

interface WatchFlags extends CommonFlags {
  readonly logs?: string | undefined
  readonly subscribe?: readonly string[] | undefined
  readonly count?: number | undefined
  readonly for?: number | undefined
}

type Event = ServerChange | { readonly type: 'log'; readonly message: LogMessage }

/** `parley watch` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'watch',
    'Prints changes and logs as they happen, until you stop it.',
    [
      ['parley watch notes --logs debug', 'log messages and changes of lists'],
      [
        'parley watch files --subscribe file:///tmp/a.txt --json',
        'one resource, a line of JSON each time',
      ],
    ],
  )
  return addTargetFlags(command)
    .argument('[words...]', 'target')
    .usage('[target] [options] [-- command]')
    .option('--logs <level>', 'request log messages of this level and above')
    .option('--subscribe <uri>', 'watch this resource; may be repeated', collect)
    .option('--count <number>', 'stop after this many events', positiveNumber)
    .option('--for <time>', 'stop after this time, such as 30s', seconds)
    .action(async (words: readonly string[], flags: WatchFlags) => {
      const word = onlyTarget(words, flags, context)
      await watch(word, flags, context)
    })
}

async function watch(
  word: string | undefined,
  flags: WatchFlags,
  context: CommandContext,
): Promise<void> {
  const printer = createPrinter(context.io, flags)
  const ended = new AbortController()
  const limit = flags.for === undefined ? undefined : AbortSignal.timeout(flags.for * 1_000)
  const until = anySignal(context.io.signal, ended.signal, limit)
  let seen = 0

  function show(event: Event): void {
    if (until.aborted) return
    if (printer.isJson) printer.jsonLine({ at: Date.now(), ...event })
    else printer.line(`${printer.colors.dim(new Date().toISOString())} ${describe(event)}`)
    seen += 1
    if (seen === flags.count) ended.abort()
  }

  const onLog = (message: LogMessage) => show({ type: 'log', message })
  await withServer(
    word,
    flags,
    context,
    async ({ client }) => {
      const { capabilities } = client.server
      if (flags.logs !== undefined) await client.setLoggingLevel(levelOf(flags.logs))
      const subscription = await client.listen({
        ...(capabilities.tools?.listChanged && { toolsListChanged: true }),
        ...(capabilities.prompts?.listChanged && { promptsListChanged: true }),
        ...(capabilities.resources?.listChanged && { resourcesListChanged: true }),
        ...(flags.subscribe && { resourceSubscriptions: [...flags.subscribe] }),
      })
      printer.note('Watching. Press Ctrl+C to stop.')
      const stop = () => void subscription[Symbol.asyncDispose]()
      until.addEventListener('abort', stop, { once: true })
      if (until.aborted) stop()
      for await (const change of subscription) show(change)
      if (!until.aborted) throw new CliError('unreachable', 'the server ended the connection')
    },
    { onLog, reconnect: true },
  )
}

function levelOf(name: string): LoggingLevel {
  const level = loggingLevels.find((each) => each === name)
  if (level !== undefined) return level
  throw new CliError('error', `--logs ${name} is not a log level`, {
    hint: `Use ${loggingLevels.join(', ')}.`,
  })
}

function describe(event: Event): string {
  switch (event.type) {
    case 'log': {
      const { level, logger, data } = event.message
      const text = typeof data === 'string' ? data : JSON.stringify(data)
      return safeText(`${level} ${logger === undefined ? '' : `${logger}: `}${text}`, {
        lineLength: 4_000,
      })
    }
    case 'resource':
      return `changed: ${safeText(event.uri)}`
    case 'gap':
      return 'some changes may have been missed'
    case 'tools':
    case 'prompts':
    case 'resources':
      return `list changed: ${event.type}`
  }
}

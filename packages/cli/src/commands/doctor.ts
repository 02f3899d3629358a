import { safeText } from '@parley/foundation/terminal'
import type { Command } from 'commander'

import { revisionsOf } from '../check/revisions.ts'
import { newCommand, type CommandContext } from '../command.ts'
import type { Examining } from '../doctor/examining.ts'
import type { Step } from '../doctor/step.ts'
import { CliError } from '../exit.ts'
import { addTargetFlags, type CommonFlags } from '../flags.ts'
import { createPrinter, type Printer } from '../output/printer.ts'
import { startProbing } from '../probe/probing.ts'
import { resolveTarget, onlyTarget, type Target } from '../target/target.ts'

/** `parley doctor` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'doctor',
    'Connects to a server step by step and shows what is wrong: the command or the address, negotiation, authorization, sessions, streams, web pages.',
    [
      ['parley doctor https://example.com/mcp', 'over the network'],
      ['parley doctor -- npx my-server', 'a command'],
      [
        'parley doctor --config ~/.cursor/mcp.json --server notes',
        'an entry of a configuration file',
      ],
    ],
  )
  return addTargetFlags(command)
    .argument('[words...]', 'target')
    .usage('[target] [options] [-- command]')
    .action(async (words: readonly string[], flags: CommonFlags) => {
      const word = onlyTarget(words, flags, context)
      const printer = createPrinter(context.io, flags)
      const target = await resolveTarget(word, flags, context)
      await using probing = await startProbing(target, flags, context.io)
      const supported = revisionsOf(flags.era ?? target.era)
      const steps: Step[] = []
      for await (const step of examine(target, { supported, options: probing.options })) {
        context.io.signal.throwIfAborted()
        steps.push(step)
        if (!printer.isJson) show(step, printer)
      }
      if (printer.isJson) printer.json({ steps })
      const problems = steps.filter(({ state }) => state === 'bad')
      if (problems.length === 0) return printer.note('no problems found')
      throw new CliError(
        'unreachable',
        `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} found`,
      )
    })
}

/** Every step of the walk to a server. */
export async function* examine(
  { entry, name }: Pick<Target, 'entry' | 'name'>,
  examining: Examining,
): AsyncGenerator<Step> {
  if (!('url' in entry)) {
    const { examineStdio } = await import('../doctor/examine-stdio.ts')
    return yield* examineStdio(entry, examining)
  }
  if (/^wss?:/i.test(entry.url) || entry.type === 'ws') {
    const { examineWebSocket } = await import('../doctor/examine-websocket.ts')
    return yield* examineWebSocket(entry, examining)
  }
  if (!/^https?:/i.test(entry.url)) throw new CliError('error', `${name} is not an HTTP URL`)
  const serverTarget = { url: entry.url, headers: entry.headers ?? {} }
  if (entry.type === 'sse') {
    const { examineOldTransport } = await import('../doctor/examine-old-transport.ts')
    return yield* examineOldTransport(serverTarget, examining)
  }
  const { examineHttp } = await import('../doctor/examine-http.ts')
  return yield* examineHttp(serverTarget, examining)
}

function show({ title, state, seen, stderr = [], fix }: Step, printer: Printer): void {
  const { colors } = printer
  const marks = {
    good: colors.green('✓'),
    warning: colors.yellow('!'),
    bad: colors.red('✗'),
    skipped: '–',
  }
  const text = safeText(`${title}: ${seen}`, { multiline: false, lineLength: 600 })
  printer.line(`${marks[state]} ${state === 'skipped' ? colors.dim(text) : text}`)
  for (const line of stderr) {
    const shown = safeText(line, { multiline: false, lineLength: 400 })
    printer.line(colors.dim(`  | ${shown}`))
  }
  if (fix !== undefined)
    printer.line(`  ${colors.bold('→')} ${safeText(fix, { multiline: false })}`)
}

import { createProgressBar } from '@parley/foundation/terminal'
import type { Command } from 'commander'

import type { Finding } from '../check/check.ts'
import { findingForJson, showFinding, showSummary } from '../check/report.ts'
import { revisionsOf } from '../check/revisions.ts'
import { checkServer } from '../check/run-checks.ts'
import { subjectOf } from '../check/subject.ts'
import { newCommand, type CommandContext } from '../command.ts'
import { mayDraw } from '../connection.ts'
import { CliError } from '../exit.ts'
import { addTargetFlags, type CommonFlags } from '../flags.ts'
import { createPrinter } from '../output/printer.ts'
import { startProbing } from '../probe/probing.ts'
import { resolveTarget, onlyTarget } from '../target/target.ts'

interface CheckFlags extends CommonFlags {
  readonly all?: boolean | undefined
  readonly strict?: boolean | undefined
}

/** `parley check` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'check',
    'Tests a server against the requirements of the protocol that can be seen from outside. Only tools that are marked as read-only are called.',
    [
      ['parley check -- node server.js', 'a command'],
      ['parley check https://example.com/mcp --all', 'over the network, and shows what passed'],
      ['parley check https://example.com/mcp --strict', 'also fails on broken SHOULDs'],
    ],
  )
  return addTargetFlags(command)
    .argument('[words...]', 'target')
    .usage('[target] [options] [-- command]')
    .option('--all', 'also show what passed and what was not tried')
    .option('--strict', 'fail on a broken SHOULD as well')
    .action(async (words: readonly string[], flags: CheckFlags) => {
      const word = onlyTarget(words, flags, context)
      const target = await resolveTarget(word, flags, context)
      const supported = revisionsOf(flags.era ?? target.era)
      await using probing = await startProbing(target, flags, context.io)
      await check(flags, checkServer(subjectOf(target, probing.options), supported), context)
    })
}

async function check(
  flags: CheckFlags,
  findings: AsyncIterable<Finding>,
  { io }: CommandContext,
): Promise<void> {
  const printer = createPrinter(io, flags)
  const bar = createProgressBar(io.stderr)
  const isDrawn = mayDraw(io, flags)
  const all: Finding[] = []
  try {
    if (isDrawn) bar.update({ progress: 0, message: 'connecting' })
    for await (const finding of findings) {
      io.signal.throwIfAborted()
      all.push(finding)
      const isShown = flags.all === true || finding.verdict.kind === 'broken'
      if (isShown) bar.done()
      if (!printer.isJson) showFinding(finding, printer, flags.all)
      if (isDrawn) bar.update({ progress: all.length, message: finding.rule })
    }
  } finally {
    bar.done()
  }
  const broken = all.filter(({ verdict }) => verdict.kind === 'broken')
  const counted = broken.filter(({ level }) => level === 'MUST' || flags.strict === true)
  if (printer.isJson) printer.json({ findings: all.map(findingForJson), broken: broken.length })
  else showSummary(all, printer)
  if (counted.length > 0) {
    const ids = [...new Set(counted.flatMap((finding) => finding.ids.slice(0, 1)))]
    throw new CliError(
      'invalid',
      `${counted.length} ${counted.length === 1 ? 'requirement is' : 'requirements are'} broken: ${ids.join(', ')}`,
    )
  }
}

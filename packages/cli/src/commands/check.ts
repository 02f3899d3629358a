import { safeText } from '@parley/foundation/terminal'
import type { Command } from 'commander'

import type { Finding } from '../check/check.ts'
import { checkServer } from '../check/run-checks.ts'
import { subjectOf } from '../check/subject.ts'
import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addTargetFlags, type CommonFlags } from '../flags.ts'
import { excerpt } from '../json.ts'
import { createPrinter, type Printer } from '../output/printer.ts'
import { resolveTarget, splitTarget } from '../target/target.ts'

interface CheckFlags extends CommonFlags {
  readonly all?: boolean | undefined
  readonly strict?: boolean | undefined
  readonly suite?: string | undefined
}

/** `parley check` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'check',
    'Tries a server against the requirements of the protocol that can be seen from outside. Only tools that say they do not change anything are called.',
    [
      ['parley check -- node server.js', 'a command'],
      ['parley check https://example.com/mcp --all', 'over the network, with what is kept too'],
      ['parley check https://example.com/mcp --strict', 'fails on what only should be, too'],
      [
        'parley check https://example.com/mcp --suite public',
        'the public conformance suite (Node 22)',
      ],
    ],
  )
  return addTargetFlags(command)
    .argument('[words...]', 'target')
    .usage('[target] [options] [-- command]')
    .option('--all', 'show what is kept and what was not tried, too')
    .option('--strict', 'fail on a broken SHOULD as well')
    .option('--suite <name>', '"public": the public conformance suite instead of our own checks')
    .action(async (words: readonly string[], flags: CheckFlags) => {
      const { word, rest } = splitTarget(words, flags, context)
      if (rest.length > 0) throw new CliError('error', `too many arguments: ${rest.join(' ')}`)
      const target = await resolveTarget(word, flags, context)
      if (flags.suite !== undefined) {
        const { runSuite } = await import('../check/public-suite.ts')
        return runSuite(flags.suite, target, context.io)
      }
      await check(flags, checkServer(subjectOf(target), { era: eraOf(flags.era) }), context)
    })
}

async function check(
  flags: CheckFlags,
  findings: AsyncIterable<Finding>,
  { io }: CommandContext,
): Promise<void> {
  const printer = createPrinter(io, flags)
  const all: Finding[] = []
  for await (const finding of findings) {
    io.signal.throwIfAborted()
    all.push(finding)
    if (!printer.isJson) show(finding, flags, printer)
  }
  const broken = all.filter(({ verdict }) => verdict.kind === 'broken')
  const counted = broken.filter(({ level }) => level === 'MUST' || flags.strict === true)
  if (printer.isJson) printer.json({ findings: all, broken: broken.length })
  else summary(all, printer)
  if (counted.length > 0) {
    const ids = [...new Set(counted.flatMap((finding) => finding.ids.slice(0, 1)))]
    throw new CliError('invalid', `${counted.length} requirements are broken: ${ids.join(', ')}`)
  }
}

function show(
  { ids, level, rule, revision, verdict }: Finding,
  { all }: CheckFlags,
  printer: Printer,
): void {
  const { colors } = printer
  const name = `${ids.join(', ')} (${revision})`
  switch (verdict.kind) {
    case 'kept':
      return all === true
        ? printer.line(`${colors.green('✓')} ${rule} ${colors.dim(name)}`)
        : undefined
    case 'skipped':
      return all === true
        ? printer.line(colors.dim(`– ${rule}: ${verdict.why} ${name}`))
        : undefined
    case 'broken': {
      const mark = level === 'MUST' ? colors.red('✗') : colors.yellow('!')
      printer.line(`${mark} ${colors.bold(rule)} ${colors.dim(`${level} ${name}`)}`)
      printer.line(`  seen: ${shown(verdict.seen)}`)
      if (verdict.sent !== undefined)
        printer.line(colors.dim(`  sent: ${shown(excerpt(verdict.sent, 400))}`))
      if (verdict.got !== undefined)
        printer.line(colors.dim(`  got:  ${shown(excerpt(verdict.got, 400))}`))
      return printer.line(`  cure: ${verdict.cure}`)
    }
  }
}

function shown(text: string): string {
  return safeText(text, { multiline: false, lineLength: 500 })
}

function summary(all: readonly Finding[], printer: Printer): void {
  const count = (kind: Finding['verdict']['kind']) =>
    all.filter(({ verdict }) => verdict.kind === kind).length
  const revisions = [...new Set(all.map(({ revision }) => revision))].join(' and ')
  printer.line(
    `${count('kept')} kept, ${count('broken')} broken, ${count('skipped')} not tried, in ${revisions}`,
  )
}

function eraOf(era: string | undefined): 'auto' | 'legacy' | 'modern' {
  if (era === undefined || era === 'auto') return 'auto'
  if (era === 'legacy' || era === 'modern') return era
  return era >= '2026' ? 'modern' : 'legacy'
}

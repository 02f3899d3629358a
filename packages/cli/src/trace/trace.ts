import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { addOutputFlags, collect } from '../flags.ts'
import { convertTrace, type ConvertFlags } from './convert.ts'
import { diffTraces } from './diff.ts'
import { showStatistics } from './stats.ts'
import { viewTrace, type ViewFlags } from './view.ts'

/** It starts no server by a command. */
export const dashes = 'words'

/** `parley trace` */
export function build({ io }: CommandContext): Command {
  const view = addOutputFlags(newCommand('view', 'Shows the messages of a trace.'))
    .argument('<file>', 'a trace')
    .option('--method <name>', 'only this method and what belongs to it; may be repeated', collect)
    .option('--errors', 'only what failed')
    .option('--full', 'whole messages')
    .option('--path <number>', 'show where the time of this request went')
    .action((file: string, flags: ViewFlags) => viewTrace(file, flags, io))
  const stats = addOutputFlags(newCommand('stats', 'Counts requests and measures their answers.'))
    .argument('<file>', 'a trace')
    .action((file: string, flags: ViewFlags) => showStatistics(file, flags, io))
  const diff = addOutputFlags(
    newCommand('diff', 'Compares two traces; exits with 1 if they differ.'),
  )
    .argument('<left>', 'a trace')
    .argument('<right>', 'another')
    .action((left: string, right: string, flags: ViewFlags) => diffTraces(left, right, flags, io))
  const convert = addOutputFlags(newCommand('convert', 'Converts a trace to another format.'))
    .argument('<file>', 'a trace')
    .requiredOption('--to <form>', 'otlp or test')
    .option('-o, --output <file>', 'the file to write (default: standard output)')
    .action((file: string, flags: ConvertFlags) => convertTrace(file, flags, io))

  return newCommand(
    'trace',
    'Shows and converts traces, which other commands write with --trace.',
    [
      ['parley list --trace t.jsonl -- node server.js', 'makes one'],
      ['parley trace view t.jsonl --method tools/call', 'shows it'],
      ['parley trace view t.jsonl --path 12', 'where the time of request 12 went'],
      ['parley trace stats t.jsonl', 'counts, errors, percentiles'],
      ['parley trace diff before.jsonl after.jsonl', 'what changed'],
      ['parley trace convert t.jsonl --to otlp -o t.json', 'spans for OpenTelemetry'],
    ],
  )
    .addCommand(view)
    .addCommand(stats)
    .addCommand(diff)
    .addCommand(convert)
}

import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { buildExport } from './export.ts'
import { buildShow } from './show.ts'
import { buildVerify } from './verify.ts'

/** It starts no server by a command. */
export const dashes = 'words'

/** `parley audit` */
export function build(context: CommandContext): Command {
  return newCommand('audit', 'Who allowed which call: the log that parley chat and run write.', [
    ['parley audit show --tool write_file', 'decisions and outcomes'],
    ['parley audit verify', 'whether anything was changed'],
    ['parley audit export --to csv -o audit.csv', 'for a spreadsheet'],
  ])
    .addCommand(buildShow(context))
    .addCommand(buildVerify(context))
    .addCommand(buildExport(context))
}

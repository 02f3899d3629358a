import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { buildCheck } from '../config/check.ts'
import { buildExport, buildImport } from '../config/exchange.ts'
import { buildInputs } from '../config/inputs.ts'
import { buildList } from '../config/list.ts'

/** It starts no server by a command. */
export const dashes = 'words'

/** `parley config` */
export function build(context: CommandContext): Command {
  return newCommand('config', 'Configuration files of this and other programs.', [
    ['parley config list', 'every server of every file that is found'],
    ['parley config check --config mcp.json', 'what is wrong with a file, with line and cure'],
    ['parley config import --from claude-desktop', 'into ./mcp.json'],
    ['parley config export --to vscode', 'to standard output'],
    ['parley config inputs set api-key', 'answers a question for later'],
  ])
    .addCommand(buildList(context))
    .addCommand(buildCheck(context))
    .addCommand(buildImport(context))
    .addCommand(buildExport(context))
    .addCommand(buildInputs(context))
}

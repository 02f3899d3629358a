import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { buildCheck } from '../config/check.ts'
import { buildExport, buildImport } from '../config/import-export.ts'
import { buildInputs } from '../config/inputs.ts'
import { buildList } from '../config/list.ts'

/** It starts no server by a command. */
export const dashes = 'words'

/** `parley config` */
export function build(context: CommandContext): Command {
  return newCommand('config', 'Reads and writes configuration files of this and other programs.', [
    ['parley config list', 'all servers of all files found'],
    ['parley config check --config mcp.json', 'mistakes in a file, with line and fix'],
    ['parley config import --from claude-desktop', 'into ./mcp.json'],
    ['parley config export --to vscode', 'to standard output'],
    ['parley config inputs set api-key', 'stores an answer'],
  ])
    .addCommand(buildList(context))
    .addCommand(buildCheck(context))
    .addCommand(buildImport(context))
    .addCommand(buildExport(context))
    .addCommand(buildInputs(context))
}

import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { buildCheck } from './check.ts'
import { buildRun } from './run.ts'

/** It starts no server by a command of its own line. */
export const dashes = 'words'

/** `parley gateway` */
export function build(context: CommandContext): Command {
  return newCommand('gateway', 'Serves many servers at one address.', [
    ['parley gateway run --config gateway.yaml --port 8080', 'at http://127.0.0.1:8080/mcp'],
    ['parley gateway run --config mcp.json --stdio', 'to whoever starts this command'],
    ['parley gateway check gateway.yaml', 'mistakes in a file, with line and fix'],
  ])
    .addCommand(buildRun(context))
    .addCommand(buildCheck(context))
}

import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { buildExport, buildImport } from '../config/import-export.ts'
import { buildCheck } from './check.ts'
import { buildDrain, buildPage, buildReload, buildStatus } from './control.ts'
import { buildExplain } from './explain.ts'
import { buildKeys } from './keys.ts'
import { buildQuarantine } from './quarantine.ts'
import { buildRun } from './run.ts'

/** It starts no server by a command of its own line. */
export const dashes = 'words'

/** `parley gateway` */
export function build(context: CommandContext): Command {
  return newCommand('gateway', 'Serves many servers at one address.', [
    ['parley gateway gateway.yaml --port 8080', 'at http://127.0.0.1:8080/mcp'],
    ['parley gateway mcp.json --stdio', 'over stdio'],
    ['parley gateway check gateway.yaml', 'mistakes in a file, with line and fix'],
    ['parley gateway status gateway.yaml', 'how the servers of the running one are'],
  ])
    .addCommand(buildRun(context))
    .addCommand(buildCheck(context))
    .addCommand(buildStatus(context))
    .addCommand(buildPage(context))
    .addCommand(buildReload(context))
    .addCommand(buildDrain(context))
    .addCommand(buildExplain(context))
    .addCommand(buildKeys(context))
    .addCommand(buildQuarantine(context))
    .addCommand(buildImport(context, { program: 'gateway', usual: 'gateway.yaml' }))
    .addCommand(buildExport(context, { program: 'gateway', from: ' --config gateway.yaml' }))
}

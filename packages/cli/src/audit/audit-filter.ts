import type { AuditEntry } from '@parley/foundation/audit'
import type { Command } from 'commander'

import { CliError } from '../exit.ts'
import { addOutputFlags, type CommonFlags } from '../flags.ts'

/** Which entries are meant. */
export interface FilterFlags extends CommonFlags {
  readonly tool?: string
  readonly type?: string
  readonly decision?: string
  readonly since?: string
  readonly until?: string
}

/** Flags that choose entries. */
export function addFilterFlags(command: Command): Command {
  command
    .argument('[file]', 'the log (default: that of the host)')
    .optionsGroup('Which entries:')
    .option('--server <name>', 'only this server')
    .option('--tool <name>', 'only this tool')
    .option('--type <type>', 'only this type, such as decision or outcome')
    .option('--decision <decision>', 'only allow or deny')
    .option('--since <time>', 'from this time on, such as 2026-11-16 or 2026-11-16T10:00Z')
    .option('--until <time>', 'up to this time')
    .optionsGroup('')
  return addOutputFlags(command)
}

/** Whether an entry is one of those that the flags mean. */
export function entryFilter(flags: FilterFlags): (entry: AuditEntry) => boolean {
  const since = timeOf('--since', flags.since)
  const until = timeOf('--until', flags.until)
  const wanted = Object.entries({
    server: flags.server,
    tool: flags.tool,
    type: flags.type,
    decision: flags.decision,
  }).filter(([, value]) => value !== undefined)
  return ({ at, record }) => {
    const time = Date.parse(at)
    if (since !== undefined && time < since) return false
    if (until !== undefined && time > until) return false
    return wanted.every(([name, value]) => record[name] === value)
  }
}

function timeOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = Date.parse(text)
  if (!Number.isNaN(time)) return time
  throw new CliError('error', `${flag} ${JSON.stringify(text)} is not a time`, {
    hint: 'Write a date such as 2026-11-16, or a time such as 2026-11-16T10:00Z.',
  })
}

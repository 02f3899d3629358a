import { loggingLevels, type LoggingLevel } from '@parley/mcp'

import type { LogLine } from '../../src/protocol/index.ts'

/** Lines of standard error have no level: they count as `info`, so that filters treat them alike. */
export function levelOf({ level }: LogLine): LoggingLevel {
  return loggingLevels.find((candidate) => candidate === level) ?? 'info'
}

/** The data as one text. */
export function textOfLine({ data }: LogLine): string {
  return typeof data === 'string' ? data : JSON.stringify(data)
}

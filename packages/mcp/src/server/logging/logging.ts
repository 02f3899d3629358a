import { loggingLevels, type LoggingLevel, type LogMessage } from '../../schema/logging.ts'
import type { Caller } from '../calls/caller.ts'

const severities = new Map(loggingLevels.map((level, severity) => [level, severity]))

/** True if the caller was told that there are log messages, and wants those of this level. */
export function wantsLog(
  { declared, logLevel }: Pick<Caller, 'declared' | 'logLevel'>,
  level: LoggingLevel,
): boolean {
  return declared.logging !== undefined && logLevel !== undefined && isAtLeast(level, logLevel)
}

/** True if `level` is as severe as `threshold` or more; false for an unknown level. */
function isAtLeast(level: LoggingLevel, threshold: LoggingLevel): boolean {
  const severity = severities.get(level)
  return severity !== undefined && severity >= (severities.get(threshold) ?? 0)
}

/** A log message as plain JSON, as the data was when it was logged. Throws for data that JSON cannot hold. */
export function toLogMessage(level: LoggingLevel, data: unknown, logger: unknown): LogMessage {
  const named = typeof logger === 'string' ? { level, logger } : { level }
  return { ...named, data: toJsonValue(data) }
}

function toJsonValue(data: unknown): unknown {
  if (typeof data === 'string' || typeof data === 'boolean' || data === null) return data
  const text = JSON.stringify(data) as string | undefined // undefined for functions and the like
  return text === undefined ? null : JSON.parse(text)
}

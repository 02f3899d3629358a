import { loggingLevels, type LoggingLevel, type LogMessage } from '../../schema/logging.ts'

const severities = new Map(loggingLevels.map((level, severity) => [level, severity]))

/** True if `level` is as grave as `threshold` or graver; false for what is no level at all. */
export function isAtLeast(level: LoggingLevel, threshold: LoggingLevel): boolean {
  const severity = severities.get(level)
  return severity !== undefined && severity >= (severities.get(threshold) ?? 0)
}

/** A message that holds JSON alone, as it was when it was logged; throws for what has none. */
export function toLogMessage(level: LoggingLevel, data: unknown, logger: unknown): LogMessage {
  const named = typeof logger === 'string' ? { level, logger } : { level }
  return { ...named, data: toJsonValue(data) }
}

function toJsonValue(data: unknown): unknown {
  if (typeof data === 'string' || typeof data === 'boolean' || data === null) return data
  const text = JSON.stringify(data) as string | undefined // undefined for functions and the like
  return text === undefined ? null : JSON.parse(text)
}

import { loggingLevels, type LoggingLevel } from '../schema/logging.ts'

const severities = new Map(loggingLevels.map((level, severity) => [level, severity]))

/** True if `level` is as grave as `threshold` or graver; false for what is no level at all. */
export function isAtLeast(level: LoggingLevel, threshold: LoggingLevel): boolean {
  const severity = severities.get(level)
  return severity !== undefined && severity >= (severities.get(threshold) ?? 0)
}

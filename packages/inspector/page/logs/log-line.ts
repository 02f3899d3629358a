import type { LogLine } from '../../src/protocol/index.ts'

/** From the least to the most severe. */
export const levels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const

/** Lines of standard error have no level: they count as `info`, so that filters treat them alike. */
export function levelOf({ level }: LogLine): (typeof levels)[number] {
  return levels.find((one) => one === level) ?? 'info'
}

/** The data as one text. */
export function textOfLine({ data }: LogLine): string {
  return typeof data === 'string' ? data : JSON.stringify(data)
}

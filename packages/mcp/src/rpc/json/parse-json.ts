import { defaultLimits } from '../limits.ts'
import { scanJson } from './scan-json.ts'

/**
 * `JSON.parse` for what others wrote, within the limits that messages have by default. Throws `limit_exceeded` for what
 * is nested too deeply or holds too much, before it is parsed, and `SyntaxError` for what is not JSON.
 */
export function parseJson(text: string): unknown {
  const excess = scanJson(text, defaultLimits)
  if (excess !== undefined) throw excess
  return JSON.parse(text)
}

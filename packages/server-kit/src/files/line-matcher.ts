import { createContext, Script } from 'node:vm'

import { ToolError } from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'

/** The places among some lines at which something was found. */
export type MatchLines = (lines: readonly string[]) => readonly number[]

/** Longer than any honest search takes for one chunk of a file. */
const timeoutMs = 1_000

/** How a pattern is read. */
export interface LineMatcherOptions {
  /** It is a regular expression of JavaScript. @defaultValue false */
  readonly isRegex?: boolean | undefined
  /** @defaultValue false */
  readonly ignoreCase?: boolean | undefined
}

/** Compiles what to look for. An expression that runs wild is stopped. */
export function compileLineMatcher(
  pattern: string,
  { isRegex = false, ignoreCase = false }: LineMatcherOptions = {},
): MatchLines {
  if (!isRegex && !ignoreCase) {
    return (lines) => placesWhere(lines, (line) => line.includes(pattern))
  }
  const source = isRegex ? pattern : pattern.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
  const expression = compile(source, ignoreCase ? 'iu' : 'u')
  if (!isRegex) return (lines) => placesWhere(lines, (line) => expression.test(line))

  // Nothing stops an expression from inside; a script is stopped from outside.
  const box = createContext({ expression, lines: [] as readonly string[] })
  const script = new Script(
    'lines.reduce((places, line, at) => (expression.test(line) && places.push(at), places), [])',
  )
  return (lines) => {
    box['lines'] = lines
    try {
      return [...(script.runInContext(box, { timeout: timeoutMs }) as number[])] // as the script says
    } catch (cause) {
      throw new ToolError('The expression takes too long. Use a simpler one.', { cause })
    }
  }
}

function placesWhere(lines: readonly string[], matches: (line: string) => boolean): number[] {
  return lines.flatMap((line, at) => (matches(line) ? [at] : []))
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags)
  } catch (cause) {
    const why = errorMessage(cause)
    throw new ToolError(`${why}. Search for a plain text instead.`, { cause })
  }
}

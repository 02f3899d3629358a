import { isDeepStrictEqual } from 'node:util'

import { CliError } from '../exit.ts'

/** Something that must be true of a result. */
export interface Assertion {
  readonly text: string
  /** What is there instead, if it does not hold. */
  check(result: unknown): { readonly holds: boolean; readonly seen: unknown }
}

/**
 * Reads `path operator value`: `content.0.text == "hi"` (or `content[0].text`), `/structuredContent/total >= 3`, `content.0.text ~ ^Echo`,
 * `structuredContent.items contains "a"`, `content.length == 1`, or a path alone, which must be there.
 */
export function parseAssertion(text: string): Assertion {
  const [, path = '', operator, written = ''] =
    /^\s*(\S+)(?:\s*(==|!=|<=|>=|<|>|!~|~|\bcontains\b)\s*(.*?))?\s*$/s.exec(splitTight(text)) ?? []
  if (path === '')
    throw new CliError('error', `--assert ${JSON.stringify(text)} is not a valid expression`)
  if (operator === '~' || operator === '!~') requirePattern(written, text)
  const keys = keysOf(path)
  const wanted = valueOf(written)
  return {
    text,
    check(result) {
      const container = keys.slice(0, -1).reduce<unknown>(memberOf, result)
      const seen = keys.length === 0 ? result : memberOf(container, keys.at(-1) ?? '')
      // A member may be absent and so differ; but of what is nowhere nothing is true.
      const isSomewhere = typeof container === 'object' && container !== null
      if (operator === undefined || !isSomewhere) return { holds: seen !== undefined, seen }
      return { holds: holds(seen, operator, wanted, written), seen }
    },
  }
}

/** `a==1` is as good as `a == 1`; in a JSON Pointer `~` is part of a name. */
function splitTight(text: string): string {
  const operators = text.trimStart().startsWith('/') ? '==|!=|<=|>=|<|>' : '==|!=|<=|>=|!~|<|>|~'
  return text.replace(new RegExp(`^(\\s*[\\w./$~[\\]"'-]+?)(${operators})`), '$1 $2 ')
}

function keysOf(path: string): readonly string[] {
  if (!path.startsWith('/')) {
    const dotted = path.replaceAll(/\[(?:(\d+)|"([^"]*)"|'([^']*)')\]/g, '.$1$2$3')
    if (/[[\]]/.test(dotted)) {
      const hint = 'Write content[0].text or content.0.text; /a~1b/0 for names with a slash.'
      throw new CliError('error', `--assert: ${path} is not a valid path`, { hint })
    }
    return dotted.split('.').filter((key) => key !== '' && key !== '$')
  }
  const keys = path.slice(1).split('/')
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value) && key === 'length') return value.length
  if (typeof value === 'string' && key === 'length') return value.length
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as { readonly [name: string]: unknown })[key] // just found to be there
}

/** JSON if it is any, else the text as it stands. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function holds(seen: unknown, operator: string, wanted: unknown, written: string): boolean {
  switch (operator) {
    case '==':
      return isDeepStrictEqual(seen, wanted)
    case '!=':
      return !isDeepStrictEqual(seen, wanted)
    case '~':
      return matches(seen, written)
    case '!~':
      return !matches(seen, written)
    case 'contains':
      return contains(seen, wanted)
    default:
      return compare(seen, operator, wanted)
  }
}

function requirePattern(pattern: string, text: string): void {
  try {
    matches('', pattern)
  } catch (error) {
    const why = error instanceof Error ? error.message : ''
    throw new CliError('error', `--assert ${JSON.stringify(text)}: ${why}`, { cause: error })
  }
}

function matches(seen: unknown, pattern: string): boolean {
  const [, inner, flags] = /^\/(.*)\/([a-z]*)$/s.exec(pattern) ?? []
  return typeof seen === 'string' && new RegExp(inner ?? pattern, flags).test(seen)
}

function contains(seen: unknown, wanted: unknown): boolean {
  if (typeof seen === 'string') return seen.includes(String(wanted))
  return Array.isArray(seen) && seen.some((each) => isDeepStrictEqual(each, wanted))
}

function compare(seen: unknown, operator: string, wanted: unknown): boolean {
  if (typeof seen !== 'number' || typeof wanted !== 'number') return false
  if (operator === '<') return seen < wanted
  if (operator === '>') return seen > wanted
  return operator === '<=' ? seen <= wanted : seen >= wanted
}

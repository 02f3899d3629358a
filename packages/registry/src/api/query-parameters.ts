import { didYouMean } from '@parley/foundation/command-line'

import { Problem } from './problem.ts'

/** Characters of one value. */
const maxCharacters = 2_000

/** The parameters of a request by their names; each at most once, and only those that the operation knows. */
export interface QueryParameters {
  text(name: string): string | undefined
  /** Whole numbers of a range; anything else is 422. */
  integer(
    name: string,
    range: { readonly least: number; readonly most: number },
  ): number | undefined
  /** `true` or `false`. */
  flag(name: string): boolean | undefined
  /** RFC 3339, as ISO 8601 in UTC with milliseconds. */
  time(name: string): string | undefined
}

/** A parameter that is misspelled would otherwise be ignored, and the answer be that of another question. */
export function readQuery(
  search: URLSearchParams,
  names: readonly string[],
  aliases: { readonly [alias: string]: string } = {},
): QueryParameters {
  const values = new Map<string, string>()
  for (const [parameter, value] of search) {
    const name = aliases[parameter] ?? parameter
    if (!names.includes(name)) throw unknownParameter(parameter, names)
    if (values.has(name)) {
      throw new Problem(400, `The query parameter ${name} is given more than once.`, {
        details: [{ message: 'given more than once', location: `query.${parameter}` }],
      })
    }
    if (value.length > maxCharacters || value.includes('\0')) {
      throw new Problem(400, `The query parameter ${name} is too long, or contains U+0000.`, {
        details: [
          { message: `at most ${maxCharacters} characters`, location: `query.${parameter}` },
        ],
      })
    }
    values.set(name, value)
  }

  function wrong(status: 400 | 422, name: string, expected: string): Problem {
    const value = values.get(name)?.slice(0, 200)
    const message = `The query parameter ${name} must be ${expected}, not ${JSON.stringify(value)}.`
    return new Problem(status, message, {
      details: [{ message: `expected ${expected}`, location: `query.${name}`, value }],
    })
  }

  return {
    text: (name) => values.get(name),
    integer(name, { least, most }) {
      const value = values.get(name)
      if (value === undefined) return undefined
      const number = /^-?\d{1,9}$/.test(value) ? Number(value) : Number.NaN
      if (number >= least && number <= most) return number
      throw wrong(422, name, `a whole number from ${least} to ${most}`)
    },
    flag(name) {
      const value = values.get(name)
      if (value === undefined || value === 'true' || value === 'false') {
        return value === undefined ? undefined : value === 'true'
      }
      throw wrong(422, name, 'true or false')
    },
    time(name) {
      const value = values.get(name)
      if (value === undefined) return undefined
      const time = readTime(value)
      if (time === undefined) throw wrong(400, name, 'a time such as 2026-01-31T12:00:00Z')
      return time
    },
  }
}

function unknownParameter(parameter: string, names: readonly string[]): Problem {
  const shown = JSON.stringify(parameter.slice(0, 64))
  const near = didYouMean(parameter.slice(0, 64).toLowerCase(), names) // a stranger may send any length
  const rest =
    near !== undefined
      ? ` Did you mean ${near}?`
      : names.length === 0
        ? ' This operation has none.'
        : ` Known: ${names.join(', ')}.`
  return new Problem(400, `The query parameter ${shown} is unknown.${rest}`, {
    details: [{ message: 'unknown parameter', location: `query.${parameter.slice(0, 64)}` }],
  })
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** A time of RFC 3339 in the one spelling that is stored; finer than milliseconds is cut off. */
export function readTime(text: string): string | undefined {
  // A plus sign that was not encoded arrives as a space.
  const value = text.replace(' ', '+')
  if (!rfc3339.test(value)) return undefined
  const time = new Date(value.toUpperCase())
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

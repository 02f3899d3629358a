import type { JsonObject } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { PageProblem } from './problem.ts'

/** What the page has sent with a question: read member by member, and refused where it is something else. */
export interface Params {
  text(name: string): string
  optionalText(name: string): string | undefined
  number(name: string): number
  optionalNumber(name: string): number | undefined
  texts(name: string): readonly string[]
  object(name: string): JsonObject
  choice<Word extends string>(name: string, words: readonly Word[]): Word
}

const maxTextLength = 100_000

export function readParams(method: string, input: unknown): Params {
  const params = isJsonObject(input) ? input : {}

  function wrong(name: string, expected: string): PageProblem {
    return new PageProblem('invalid_params', `${method}: ${name}: expected ${expected}`)
  }

  function optionalText(name: string): string | undefined {
    const value = params[name]
    if (value === undefined) return undefined
    if (typeof value === 'string' && value.length <= maxTextLength) return value
    throw wrong(name, 'text')
  }

  function optionalNumber(name: string): number | undefined {
    const value = params[name]
    if (value === undefined || (typeof value === 'number' && Number.isSafeInteger(value))) {
      return value
    }
    throw wrong(name, 'a whole number')
  }

  return {
    optionalText,
    optionalNumber,
    text(name) {
      const value = optionalText(name)
      if (value === undefined || value === '') throw wrong(name, 'text')
      return value
    },
    number(name) {
      const value = optionalNumber(name)
      if (value === undefined) throw wrong(name, 'a whole number')
      return value
    },
    texts(name) {
      const value: unknown = params[name]
      if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
      throw wrong(name, 'a list of texts')
    },
    object(name) {
      const value = params[name]
      if (isJsonObject(value)) return value
      throw wrong(name, 'an object')
    },
    choice(name, words) {
      const found = words.find((word) => word === params[name])
      if (found === undefined) throw wrong(name, `one of ${words.join(', ')}`)
      return found
    },
  }
}

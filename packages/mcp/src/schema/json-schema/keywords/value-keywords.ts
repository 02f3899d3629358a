import { describeValue, equals } from '../json-value.ts'
import { isObject } from '../members.ts'
import { fail, spend, type Check } from '../run.ts'
import type { Site } from '../site.ts'
import { shorten } from './keyword-faults.ts'

interface TypeTest {
  readonly name: string
  readonly test: (value: unknown) => boolean
}

const types: ReadonlyMap<string, TypeTest> = new Map([
  ['null', { name: 'null', test: (value) => value === null }],
  ['boolean', { name: 'a boolean', test: (value) => typeof value === 'boolean' }],
  ['integer', { name: 'an integer', test: (value) => Number.isInteger(value) }],
  ['number', { name: 'a number', test: (value) => Number.isFinite(value) }],
  ['string', { name: 'a string', test: (value) => typeof value === 'string' }],
  ['array', { name: 'an array', test: (value) => Array.isArray(value) }],
  ['object', { name: 'an object', test: isObject }],
])

/** `type`. */
export function compileType(site: Site): Check | undefined {
  const type = site.read('type')
  if (type === undefined) return undefined
  // The document has been read: these are names of types.
  const names = (Array.isArray(type) ? type : [type]) as readonly string[]
  const wanted = [...new Set(names)].flatMap((name) => types.get(name) ?? [])
  const message = `must be ${joinWords(wanted.map(({ name }) => name))}`
  const [first] = wanted
  if (first && wanted.length === 1) return compileOneType(first, message)
  return (value, run) =>
    wanted.some(({ test }) => test(value)) || fail(run, `${message}, got ${describeValue(value)}`)
}

function compileOneType({ name, test }: TypeTest, message: string): Check {
  const isInteger = name === 'an integer'
  return (value, run) => {
    if (test(value)) return true
    if (run.issues === undefined) return false
    // Only where an integer is asked for is a number the wrong number.
    const seen = typeof value === 'number' && isInteger ? value : describeValue(value)
    return fail(run, `${message}, got ${seen}`)
  }
}

/** `enum` and `const`. */
export function compileChoices(site: Site): Check[] {
  const checks: Check[] = []
  const choices = site.read('enum') as readonly unknown[] | undefined // the document has been read
  if (choices !== undefined) checks.push(compileEnum(choices))
  const constant = site.read('const')
  if (constant !== undefined) checks.push(compileEnum([constant]))
  return checks
}

function compileEnum(choices: readonly unknown[]): Check {
  const scalars = new Set(choices.filter((choice) => typeof choice !== 'object' || choice === null))
  const composites = choices.filter((choice) => typeof choice === 'object' && choice !== null)
  const shown = choices.slice(0, 20).map((choice) => shorten(JSON.stringify(choice)))
  const rest = choices.length > shown.length ? ', …' : ''
  const message =
    choices.length === 1 ? `must be ${shown.join()}` : `must be one of ${shown.join(', ')}${rest}`
  return (value, run) => {
    if (typeof value === 'string') spend(run, value.length >> 6)
    if (typeof value !== 'object' || value === null) return scalars.has(value) || fail(run, message)
    return composites.some((choice) => equals(choice, value, run)) || fail(run, message)
  }
}

/** A name in quotes, whatever its length and characters. */
export function quote(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

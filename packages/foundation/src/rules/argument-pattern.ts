/**
 * The condition of a rule on one argument: a text pattern, a path, a URL, or an equal value. Servers read values in several ways, so a
 * pattern is tested against every reading (`value-readings.ts`): a rule that allows must match all of them, a rule that asks or
 * denies any.
 *
 * Keys may go into objects and lists (`files[*].path`). Hosts and gateways compile their rules with it.
 */

import type { JsonArray, JsonObject, JsonValue } from '@parley/mcp'

import { hasInvisible } from '../text-safety/index.ts'
import { compileGlob, isGlobProblem, type Glob, type GlobProblem } from './glob.ts'
import {
  farPathReadings,
  pathReadings,
  slashed,
  realPathOf,
  urlReadings,
} from './value-readings.ts'

/** The condition of a rule on one argument. */
export interface ArgumentPattern {
  /** The key as the file has it: `path`, `options.mode`, `files[*]`. */
  readonly key: string
  /** For a rule that allows: the argument is there, and fits however the server may take it. */
  allows(input: JsonObject): boolean
  /** For a rule that asks or forbids: the argument fits in any way in which the server may take it. */
  catches(input: JsonObject): boolean
}

/** Values that patterns may refer to. */
export interface PatternOptions {
  /** The value of `${workspaceFolder}`. */
  readonly workspaceFolder?: string | undefined
  /** Where a path leads. @defaultValue by asking this machine's file system */
  readonly realPath?: ((path: string) => string | undefined) | undefined
}

/** Longer texts are no paths or names; a rule that allows does not look into them. */
const maxAllowedLength = 64 * 1024
const deepest = 32

/** Compiles what stands under `args`: a pattern for texts, or a number, boolean or null that has to be equal. */
export function compileArgument(
  key: string,
  wanted: JsonValue,
  options: PatternOptions = {},
): ArgumentPattern | GlobProblem {
  const steps = stepsOf(key)
  const test = testOf(wanted, options)
  if (isProblem(test)) return test
  return {
    key,
    allows(input) {
      const values = valuesAt(input, steps, key)
      return values.length > 0 && values.every((value) => test.allows(value))
    },
    catches: (input) => valuesAt(input, steps, key).some((value) => test.catches(value)),
  }
}

/** Whether compiling failed. */
export function isProblem(value: object): value is GlobProblem {
  return 'fix' in value
}

interface ValueTest {
  allows(value: JsonValue): boolean
  catches(value: JsonValue): boolean
}

function testOf(wanted: JsonValue, options: PatternOptions): ValueTest | GlobProblem {
  if (typeof wanted === 'object' && wanted !== null) {
    const message = 'is neither a pattern nor a value'
    return { message, fix: 'Use a text such as "*.md", a number, true, false or null.' }
  }
  if (typeof wanted !== 'string') {
    const isIt = (value: JsonValue): boolean => value === wanted
    return { allows: isIt, catches: (value) => within(value, isIt) }
  }
  const isUrl = /^[a-z*{][a-z0-9+.*{},-]*:\/\//i.test(wanted)
  const isPath = isUrl || /[/]|^\$\{workspaceFolder\}/.test(wanted)
  const workspaceFolder = options.workspaceFolder && slashed(options.workspaceFolder)
  const glob = compileGlob(wanted, { isPath, variables: { workspaceFolder } })
  if (isGlobProblem(glob)) return glob
  if (glob.isAnything) return { allows: () => true, catches: () => true }
  if (isUrl) return urlTest(glob)
  return isPath ? pathTest(glob, options) : textTest(glob)
}

function textTest(glob: Glob): ValueTest {
  return {
    allows: (value) => isPlain(value) && glob.matches(value),
    catches: (value) =>
      within(value, (each) => {
        const text = typeof each === 'string' ? each : JSON.stringify(each)
        return [text, text.normalize('NFKC')].some((candidate) =>
          glob.matches(candidate, { ignoreCase: true }),
        )
      }),
  }
}

function urlTest(glob: Glob): ValueTest {
  return {
    allows: (value) =>
      isPlain(value) && urlReadings(value)?.every((each) => glob.matches(each)) === true,
    catches: (value) =>
      within(value, (each) => {
        if (typeof each !== 'string') return false
        const readings = urlReadings(each) ?? [each]
        return readings.some((reading) => glob.matches(reading, { ignoreCase: true }))
      }),
  }
}

/** Links are followed on both sides: the folder of the project may itself be behind one. */
function pathTest(
  glob: Glob,
  { workspaceFolder, realPath = realPathOf }: PatternOptions,
): ValueTest {
  let linked: Glob | undefined
  const throughLinks = (): Glob =>
    (linked ??= glob.withFolders((folder) =>
      folder === '' ? '' : slashed(realPath(folder) ?? folder),
    ))
  const staysInside = (path: string): boolean => {
    const real = realPath(path)
    return real === undefined || throughLinks().matches(slashed(real))
  }
  return {
    allows(value) {
      if (!isPlain(value)) return false
      const readings = pathReadings(slashed(value))
      return readings.every((each) => glob.matches(each)) && readings.every(staysInside)
    },
    catches: (value) =>
      within(value, (each) => {
        if (typeof each !== 'string') return false
        return farPathReadings(each, workspaceFolder).some((path) => {
          if (glob.matches(path, { ignoreCase: true })) return true
          const real = realPath(path)
          return real !== undefined && throughLinks().matches(slashed(real), { ignoreCase: true })
        })
      }),
  }
}

/** A text that is used as it looks. */
function isPlain(value: JsonValue): value is string {
  return typeof value === 'string' && value.length <= maxAllowedLength && !hasInvisible(value)
}

/** Whether anything in a value fits, so that a list around a text hides nothing. */
function within(value: JsonValue, isIt: (value: JsonValue) => boolean, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return isIt(value)
  if (depth > deepest) return true
  return Object.values(value).some((each) => each !== undefined && within(each, isIt, depth + 1))
}

/** `a.b[*].c` as its parts; `*` is every item. */
function stepsOf(key: string): readonly string[] {
  return key
    .replaceAll('[*]', '.*')
    .split('.')
    .filter((step) => step !== '')
}

/** Returns the values of a key, and of names that look like it. */
function valuesAt(input: JsonObject, steps: readonly string[], key: string): readonly JsonValue[] {
  const nested = steps.reduce<readonly JsonValue[]>(
    (values, step) => values.flatMap((value) => membersOf(value, step)),
    [input],
  )
  return steps.length > 1 ? [...nested, ...membersOf(input, key)] : nested
}

function membersOf(value: JsonValue, step: string): readonly JsonValue[] {
  if (typeof value !== 'object' || value === null) return []
  if (isList(value)) return step === '*' ? value : []
  const all = Object.entries(value)
  const named = all.filter(([name]) => name === step)
  const found = named.length === 0 && step === '*' ? all : named
  return found.flatMap(([, member]) => (member === undefined ? [] : [member]))
}

/** `Array.isArray` does not tell lists that cannot be changed. */
function isList(value: JsonArray | JsonObject): value is JsonArray {
  return Array.isArray(value)
}

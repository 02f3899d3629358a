import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject, errorMessage } from '@parley/mcp/json'

import { readBytes } from '../bridge/byte-size.ts'
import { readDuration } from '../bridge/duration.ts'
import type { CheckProblem } from './check-problem.ts'

/** Reads one object of the configuration, member by member. What is wrong is told and counts as absent. */
export interface Section {
  /** `\${NAME}` in it is the variable of the environment. */
  text(name: string): string | undefined
  texts(name: string): readonly string[] | undefined
  /** One of `texts`, with variables of the environment. */
  item(name: string, at: number): string | undefined
  /** An object whose values are texts, with variables of the environment. */
  strings(name: string): { readonly [name: string]: string } | undefined
  flag(name: string): boolean | undefined
  number(name: string, least: number, most: number): number | undefined
  /** `1MB`, or a number of bytes. */
  bytes(name: string): number | undefined
  /** `5s`, or a number of milliseconds. */
  duration(name: string): number | undefined
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined
  child(name: string): Section | undefined
  problem(name: string, message: string, cure: string): void
  /** Tells members that nothing has asked for. */
  end(): void
}

/** `${NAME}` and `${env:NAME}`. */
const variable = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}/g

type Path = readonly (string | number)[]

/** Undefined, and told, if it is no object. */
export function openSection(
  value: JsonValue | undefined,
  path: Path,
  problems: CheckProblem[],
): Section | undefined {
  if (isJsonObject(value)) return createSection(value, path, problems)
  const message = `${String(path.at(-1))} is ${value === undefined ? 'empty' : JSON.stringify(value)?.slice(0, 60)}`
  problems.push({ path, message, cure: 'write an object: name: value' })
  return undefined
}

function createSection(object: JsonObject, path: Path, problems: CheckProblem[]): Section {
  const readNames = new Set<string>()

  function member(name: string): JsonValue | undefined {
    readNames.add(name)
    return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined
  }

  function problem(name: string, message: string, cure: string): undefined {
    problems.push({ path: [...path, name], message, cure })
  }

  function fillIn(name: string, text: string): string | undefined {
    let missing: string | undefined
    const filled = text.replaceAll(variable, (_, key: string) => {
      const value = process.env[key]
      if (value === undefined || value === '') missing ??= key
      return value ?? ''
    })
    if (missing === undefined) return filled
    return problem(name, `the variable ${missing} of the environment is not set`, `set ${missing}`)
  }

  /** Reads an amount by a function of ours that throws with what it expects. */
  function amount(name: string, read: (text: string) => number): number | undefined {
    const value = member(name)
    if (value === undefined) return undefined
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
    if (typeof value === 'string') {
      try {
        return read(value)
      } catch (error) {
        return problem(name, errorMessage(error), 'write a number with a unit')
      }
    }
    return problem(name, `${name} is ${JSON.stringify(value)}`, 'write a number with a unit')
  }

  const section: Section = {
    problem,
    text(name) {
      const value = member(name)
      if (typeof value === 'string' && value !== '') return fillIn(name, value)
      return value === undefined
        ? undefined
        : problem(name, `${name} is no text`, `write ${name}: "…"`)
    },
    texts(name) {
      const value = member(name)
      if (value === undefined) return undefined
      if (Array.isArray(value) && value.every((each: unknown) => typeof each === 'string'))
        return value
      return problem(name, `${name} is no list of texts`, `write ${name}: [ "…" ]`)
    },
    item(name, at) {
      const value = section.texts(name)?.[at]
      return value === undefined ? undefined : fillIn(name, value)
    },
    strings(name) {
      const value = member(name)
      if (value === undefined) return undefined
      const pairs = isJsonObject(value) ? Object.entries(value) : [['', undefined] as const]
      const texts: [string, string][] = []
      for (const [key, each] of pairs) {
        if (typeof each !== 'string') {
          return problem(name, `${name} is no object of texts`, `write ${name}: { name: "…" }`)
        }
        texts.push([key, fillIn(name, each) ?? ''])
      }
      return Object.fromEntries(texts)
    },
    flag(name) {
      const value = member(name)
      if (value === undefined || typeof value === 'boolean') return value
      return problem(name, `${name} is ${JSON.stringify(value)}`, 'write true or false')
    },
    number(name, least, most) {
      const value = member(name)
      if (value === undefined) return undefined
      if (typeof value === 'number' && value >= least && value <= most) return value
      return problem(
        name,
        `${name} is ${JSON.stringify(value)}`,
        `write a number from ${least} to ${most}`,
      )
    },
    bytes: (name) => amount(name, (text) => readBytes(text, name)),
    duration: (name) => amount(name, (text) => readDuration(text, name)),
    choice(name, choices) {
      const value = member(name)
      if (value === undefined) return undefined
      const found = choices.find((choice) => choice === value)
      return (
        found ?? problem(name, `${name} is ${JSON.stringify(value)}`, `write ${choices.join(', ')}`)
      )
    },
    child(name) {
      const value = member(name)
      return value === undefined ? undefined : openSection(value, [...path, name], problems)
    },
    end() {
      const names = [...readNames].toSorted().join(', ')
      for (const name of Object.keys(object)) {
        if (!readNames.has(name)) problem(name, `there is no "${name}" here`, `use ${names}`)
      }
    },
  }
  return section
}

/**
 * Reads a value by its declaration: what it says, or everything that is wrong with it, each with its path and a cure.
 *
 * Knows nothing of files. `locationProblem` finds the line and column of a path in a document that was read by `readDocument`.
 * Programs go on from there: they print problems, or refuse to start.
 */

import * as v from 'valibot'

import { didYouMean } from '../command-line/did-you-mean.ts'
import type { ConfigProblem } from '../config/entries/config-entry.ts'
import { memberOf, type ConfigNode } from '../config/files/config-document.ts'

/** Names and indexes from the top of a file: `['policy', 2, 'when']`. */
export type SettingsPath = readonly (string | number)[]

/** Something wrong with a setting. */
export interface SettingsFault {
  /** Where it is. */
  readonly path: SettingsPath
  /** The value, and what is wrong with it. */
  readonly message: string
  /** The text to write instead, in one sentence. */
  readonly fix: string
  /** A `warning` does not keep the file from being used. @defaultValue 'error' */
  readonly level?: ConfigProblem['level'] | undefined
}

/** Reads a value. Faults are added to the list, and a value with any counts as absent. */
export function readSettings<const Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  path: SettingsPath,
  faults: SettingsFault[],
): v.InferOutput<Schema> | undefined {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  for (const issue of result.issues) faults.push(...problemsOf(issue, path))
  return undefined
}

function problemsOf(issue: v.BaseIssue<unknown>, base: SettingsPath): readonly SettingsFault[] {
  const steps = issue.path ?? []
  const path = [...base, ...steps.map(({ key }) => key as string | number)] // files have no other keys
  const inner = bestOf(issue)
  if (inner.length > 0) return inner.flatMap((each) => problemsOf(each, path))
  const last = steps.at(-1)
  // A missing name is a fault of the object around it.
  const isMissing = last !== undefined && last.value === undefined
  // For an undeclared name the problem is the name, whatever its value.
  const seen = issue.type === 'never' ? undefined : issue.input
  return [faultAt(isMissing ? path.slice(0, -1) : path, issue.message, seen)]
}

/** Returns the problem in the form that was meant: the one that matched furthest into the value. */
function bestOf({ type, issues }: v.BaseIssue<unknown>): readonly v.BaseIssue<unknown>[] {
  if (type !== 'union' || issues === undefined) return []
  const deeper = issues.filter(({ path = [] }) => path.length > 0)
  return deeper.length > 0 ? deeper : issues.filter(({ kind }) => kind !== 'schema').slice(0, 1)
}

function faultAt(path: SettingsPath, text: string, seen: unknown): SettingsFault {
  if (seen === null) return { path, message: 'is empty', fix: 'Write its value, or remove it.' }
  const [what = text, cure = 'Correct it.', known] = text.split('\n', 3)
  const wrong = typeof seen === 'string' ? seen : String(path.at(-1))
  const meant = known === undefined ? undefined : didYouMean(wrong, known.split(','))
  const fill = (words: string): string =>
    words
      .replaceAll('{key}', () => path.join('.'))
      .replaceAll('{seen}', () => (JSON.stringify(seen) ?? 'nothing').slice(0, 60))
  return {
    path,
    message: fill(what),
    fix: meant === undefined ? fill(cure) : `Did you mean "${meant}"?`,
  }
}

/** A fault with the file, line and column that it is about. */
export function locationProblem(
  { path, message, fix, level = 'error' }: SettingsFault,
  file: string,
  root: ConfigNode | undefined,
): ConfigProblem {
  const at = root && nodeAt(root, path)
  const place = at && { line: at.line, ...(at.column !== undefined && { column: at.column }) }
  return { level, file, ...place, key: path.join('.'), message, fix }
}

/** The value at a path, or as near to it as there is one. */
export function nodeAt(root: ConfigNode, path: SettingsPath): ConfigNode {
  let found = root
  for (const part of path) {
    const next = typeof part === 'number' ? found.items[part] : memberOf(found, part)?.node
    if (next === undefined) return found
    found = next
  }
  return found
}

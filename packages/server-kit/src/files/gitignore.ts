import type { Dirent } from 'node:fs'
import { sep } from 'node:path'

import type { JailedDirectory } from '../paths/jailed-directory.ts'
import type { PathJail } from '../paths/path-jail.ts'
import { compilePlainGlob, type MatchPath } from './glob.ts'

/** The rules of one `.gitignore`. */
interface Rules {
  /** The folder it is in, relative to where the rules begin; empty or ending in a slash. */
  readonly folder: string
  readonly rules: readonly Rule[]
}
interface Rule {
  readonly isStored: boolean
  readonly onlyDirectories: boolean
  readonly matches: MatchPath
}

/** What applies in a folder: its own rules and those of all folders above it. */
export type Ignores = readonly Rules[]

/** More than any honest file of this kind has. */
const maxBytes = 256 * 1024

/** The rules in a folder that is open, added to those from above. */
export async function addIgnores(
  above: Ignores,
  directory: JailedDirectory,
  folder: string,
  jail: PathJail,
): Promise<Ignores> {
  try {
    await using handle = await jail.open(`${directory.path}/.gitignore`)
    if ((await handle.stat()).size > maxBytes) return above
    return [...above, { folder, rules: readRules(await handle.readFile('utf8')) }]
  } catch {
    return above // none there, or none we may read
  }
}

/** The last rule that fits decides; the deepest file speaks last. */
export function isIgnored(ignores: Ignores, path: string, isDirectory: boolean): boolean {
  if (path === '.git' || path.endsWith('/.git')) return true
  for (const { folder, rules } of ignores.toReversed()) {
    const inner = path.slice(folder.length)
    for (const rule of rules.toReversed()) {
      if (rule.onlyDirectories && !isDirectory) continue
      if (rule.matches(inner)) return !rule.isStored
    }
  }
  return false
}

function readRules(text: string): readonly Rule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const rule = line.replace(/(?<!\\) +$/, '')
    return rule === '' || rule.startsWith('#') ? [] : [readRule(rule)]
  })
}

function readRule(line: string): Rule {
  const isStored = line.startsWith('!')
  const text = (isStored ? line.slice(1) : line).replace(/^\\([!#])/, '$1')
  const onlyDirectories = text.endsWith('/')
  const path = text.replace(/\/$/, '')
  // A slash that is not at the end ties the rule to its folder; without one it holds at any depth.
  const pattern = path.includes('/') ? path.replace(/^\//, '') : `**/${path}`
  return { isStored, onlyDirectories, matches: compilePlainGlob(pattern) }
}

/** The rules of the folders above, down from the allowed directory. */
export async function ignoresAbove(
  jail: PathJail,
  top: string,
): Promise<{ readonly ignores: Ignores; readonly prefix: string }> {
  const { directory } = await jail.resolve(top)
  const between = top.slice(directory.realPath.length).split(sep).filter(Boolean)
  let ignores: Ignores = []
  for (const depth of between.keys()) {
    const folder = between
      .slice(0, depth)
      .map((name) => `${name}/`)
      .join('')
    await using above = await jail.openDirectory(`${directory.realPath}/${folder}`)
    ignores = await addIgnores(ignores, above, folder, jail)
  }
  return { ignores, prefix: between.map((name) => `${name}/`).join('') }
}

/** What is in a folder that is open, sorted, without what `.gitignore` files there and above it name. */
export async function entriesNotIgnored(
  directory: JailedDirectory,
  jail: PathJail,
): Promise<readonly Dirent[]> {
  const { ignores: above, prefix } = await ignoresAbove(jail, directory.path)
  const ignores = await addIgnores(above, directory, prefix, jail)
  const entries = await directory.entries()
  return entries.filter(
    (entry) => !isIgnored(ignores, `${prefix}${entry.name}`, entry.isDirectory()),
  )
}

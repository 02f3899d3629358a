import { statSync } from 'node:fs'
import { resolve } from 'node:path'

import { GitError } from '../git-error.ts'
import type { GitOutput } from '../run-git.ts'
import type { Setting } from './environment.ts'
import { readInclude, type Include } from './includes.ts'
import { parseSettingKey } from './setting-key.ts'
import { parseSetting } from './settings-list.ts'

/** What a repository says of itself. */
export interface OwnSettings {
  /** What holds now, the last of each name. */
  readonly current: ReadonlyMap<string, string>
  /** The same, with what would hold on another branch or in another work tree. */
  readonly all: ReadonlyMap<string, string>
  /** Other files it takes settings from, whatever that depends on. */
  readonly includes: readonly Include[]
}

const maxFiles = 100

/**
 * Reads the settings of a repository, with everything it may include. One command of git can be several processes, some
 * on another branch than the first: what depends on that counts as if it were the case.
 */
export async function readLocalSettings(
  workTree: string,
  run: (args: readonly string[]) => Promise<GitOutput>,
): Promise<OwnSettings> {
  async function list(...more: readonly string[]): Promise<readonly Entry[]> {
    const args = ['config', '--list', '-z', '--show-origin', ...more]
    const { text, exitCode, isCut } = await run(args)
    const entries = exitCode === 0 && !isCut ? parseEntries(text) : undefined
    if (!entries) throw unreadable()
    return entries
  }
  const unreadable = () => new GitError('refused', `The settings of ${workTree} cannot be read.`)

  const listed = await list()
  const entries = [...listed]
  const includes: Include[] = []
  const seen = new Set<string>()
  // It grows while it is read.
  for (const { origin, setting } of entries) {
    if (!isInclude(setting)) continue
    const include = readInclude(setting[1], resolve(workTree, origin))
    includes.push(include)
    const found = seen.has(include.path)
      ? undefined
      : statSync(include.path, { throwIfNoEntry: false })
    if (!found) continue
    seen.add(include.path)
    if (seen.size > maxFiles || !found.isFile()) throw unreadable()
    entries.push(...(await list('--no-includes', '--file', include.path)))
  }
  const current = new Map(listed.map(({ setting }) => setting))
  const all = new Map([...entries.map(({ setting }) => setting), ...current])
  return { current, all, includes }
}

/** A setting, and the file it is from. */
interface Entry {
  readonly origin: string
  readonly setting: Setting
}

/** Undefined if a name is not UTF-8: it could not be overridden, as it could not be said. */
function parseEntries(text: string): readonly Entry[] | undefined {
  const parts = text.split('\0')
  const entries: Entry[] = []
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [origin = '', entry = ''] = parts.slice(index, index + 2)
    if (!origin.startsWith('file:')) continue // said by us
    const setting = parseSetting(entry)
    if (setting[0].includes('\ufffd')) return undefined
    entries.push({ origin: origin.slice('file:'.length), setting })
  }
  return entries
}

function isInclude([key]: Setting): boolean {
  const { section, name } = parseSettingKey(key)
  return (section === 'include' || section === 'includeif') && name === 'path'
}

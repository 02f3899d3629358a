/** Runtimes and tools that the check needs: from npm, into a folder that stays, at their first use. */

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { env, pid } from 'node:process'

import { run } from './command.mjs'

const cache = join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'parley-pack-check')

/**
 * The folder that has these packages in its `node_modules`.
 *
 * @param {readonly string[]} packages as npm takes them, such as `publint@0.3`
 */
export async function installTools(packages) {
  const folder = join(cache, packages.join('+').replaceAll('/', '-'))
  if (existsSync(folder)) return folder
  const draft = `${folder}.${pid}`
  mkdirSync(draft, { recursive: true })
  writeFileSync(join(draft, 'package.json'), '{ "private": true }')
  try {
    await run(['npm', 'install', '--no-audit', '--no-fund', '--silent', ...packages], {
      cwd: draft,
    })
    mkdirSync(dirname(folder), { recursive: true })
    renameSync(draft, folder) // in one step: one that was interrupted is not taken for whole
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw new Error(`${packages.join(', ')} could not be installed`, { cause: error })
  }
  return folder
}

import { homedir } from 'node:os'

import { runGit } from '../run-git.ts'
import { gitEnvironment, type Setting } from './environment.ts'
import { parseSettings } from './settings-list.ts'

/** Of the user's own settings, those that run nothing and change what git writes or shows. */
const readKeys = new Set([
  'user.name',
  'user.email',
  'author.name',
  'author.email',
  'committer.name',
  'committer.email',
  'core.autocrlf',
  'core.eol',
  'core.excludesfile',
  'core.precomposeunicode',
  'i18n.commitencoding',
])

/** Who the user is and how their files look, read from their own settings. A repository's own come before these. */
export async function readUserSettings(program: string): Promise<readonly Setting[]> {
  const environment = gitEnvironment([])
  delete environment['GIT_CONFIG_GLOBAL']
  const { text, exitCode } = await runGit({
    program: { file: program },
    args: ['config', '--global', '--includes', '--list', '-z'],
    directory: homedir(),
    environment,
    timeoutMs: 10_000,
    outputBytes: 1024 * 1024,
    stopWhenFull: true,
  })
  return exitCode === 0 ? parseSettings(text).filter(([key]) => readKeys.has(key)) : [] // there are none
}

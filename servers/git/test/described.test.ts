import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import { afterAll } from 'vitest'

import { describeServer } from '../../../test-support/described-server.ts'
import { createGitServer, extras } from '../src/git.ts'
import { plainWork } from './support.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-git-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const work = plainWork(folder)
work.git('init', '-q', '-b', 'main', '--template=')
work.git('config', 'user.name', 'Ada')
work.git('config', 'user.email', 'ada@example.com')
work.write('src/main.ts', 'main')
work.commit('first')
work.git('branch', 'feature/one')
work.git('tag', 'v1')
const repo = basename(folder)
const uri = 'git://{repo}/{rev}/{+path}'

await describeServer(
  () => createGitServer({ repository: folder, enable: extras, userSettings: false }),
  [
    { uri, argument: 'repo', typed: repo.slice(0, 3), offered: repo },
    { uri, argument: 'rev', typed: 'feat', known: { repo }, offered: 'feature/one' },
    { uri, argument: 'rev', typed: 'v', known: { repo }, offered: 'v1' },
    { uri, argument: 'path', typed: 'src/', known: { repo, rev: 'v1' }, offered: 'src/main.ts' },
  ],
)

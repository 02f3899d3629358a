import { execFileSync } from 'node:child_process'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { runServer } from '@parley/server-kit/program'
import { afterAll } from 'vitest'

import { describeReachable } from '../../../test-support/reachable-program.ts'
import { gitProgram } from '../src/program.ts'

const folder = await realpath(await mkdtemp(join(tmpdir(), 'git-')))
execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder })
await writeFile(join(folder, 'note.txt'), 'forty-two')
afterAll(() => rm(folder, { recursive: true, force: true }))

describeReachable({
  main: fileURLToPath(new URL('../dist/main.js', import.meta.url)),
  run: (surroundings) => runServer(gitProgram, surroundings),
  args: ['--repository', folder],
  tools: [
    'git_status',
    'git_diff_unstaged',
    'git_diff_staged',
    'git_diff',
    'git_commit',
    'git_add',
    'git_reset',
    'git_log',
    'git_create_branch',
    'git_checkout',
    'git_show',
    'git_branch',
  ],
  call: ['git_status', { repo_path: folder }],
  answer: 'note.txt',
})

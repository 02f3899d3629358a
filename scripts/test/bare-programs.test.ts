import { expect, test } from 'vitest'

import { findBarePrograms } from '../bare-programs.mjs'

const faultsOf = (...lines: readonly string[]) =>
  findBarePrograms('file.ts', lines.join('\n')).map(({ line, fault }) => `${line}: ${fault}`)

test('a start by a bare name, through a shell or by a fallback is found, under any local name', () => {
  expect(
    faultsOf(
      "import { exec, execFile as run, spawn, spawnSync } from 'node:child_process'",
      "run('git', ['status'])",
      'spawnSync(`npx`, [])',
      "spawn(program ?? 'node', [])",
      "spawn(isWindows ? 'where' : '/bin/sh', [])",
      'spawn(file, [], { shell: true })',
      "exec('ls')",
    ),
  ).toEqual([
    "2: execFile starts 'git' by its name",
    "3: spawnSync starts 'npx' by its name",
    "4: spawn starts 'node' by its name",
    "5: spawn starts 'where' by its name",
    '6: spawn starts a shell',
    '7: exec starts a shell',
  ])
})

test('full paths, and functions of the same name from elsewhere, are not', () => {
  expect(
    faultsOf(
      "import { spawn } from 'node:child_process'",
      "spawn('/bin/sh', ['-c', script])",
      'spawn(process.execPath, [], { shell: false })',
      "pattern.exec('git')",
      "execFile('git')",
    ),
  ).toEqual([])
  expect(faultsOf("import * as child from 'child_process'")).toHaveLength(1)
})

import { expect, test } from 'vitest'

import { findBarePrograms } from '../bare-programs.mjs'

const listed = 'packages/compat/src/run.ts'
const problemsOf = (...lines: readonly string[]) =>
  findBarePrograms(listed, lines.join('\n')).map(({ line }) => line)

const starters = "import { spawn, execFile as run } from 'node:child_process'"

test.each([
  "spawn('git', [])",
  'spawn(`git`)',
  'spawn(program)',
  "spawn(program ?? 'git')",
  "spawn('gi' + 't')",
  "spawn('git' as string)",
  "run('git')",
  "spawn.call(null, 'git')",
  "promisify(run)('git')",
  'const start = spawn',
  'const [file] = isWindows ? ["npx.cmd"] : ["npx"]; spawn(file)',
  'spawn(program.file, [], { shell: true })',
  "spawn(program.file, [], { 'shell': isWindows })",
  'const options = { shell }; spawn(program.file, [], options)',
  "await import('node:child_process')",
  "process.getBuiltinModule('node:child_process').spawn('git')",
  "require('child_process').exec('git')",
  "export { spawn } from 'node:child_process'",
  "export * from 'node:child_process'",
])('%s is found', (line) => {
  expect(problemsOf(starters, line)).toContain(2)
})

test.each([
  "import { exec } from 'node:child_process'",
  "import * as child from 'node:child_process'",
  "import child from 'child_process'",
])('%s is found', (line) => {
  expect(problemsOf(line)).toEqual([1])
})

test('full paths and functions of the same name from elsewhere are not', () => {
  expect(
    problemsOf(
      starters,
      "import type { ChildProcess } from 'node:child_process'",
      "spawn('/bin/sh', ['-c', script])",
      'spawn(process.execPath, [], { shell: false })',
      'run(program.file, [])',
      "spawn(systemProgram('taskkill'), [])",
      "pattern.exec('git')",
      "execFile('git')",
    ),
  ).toEqual([])
})

test('a file that is not listed starts nothing, and may name the types', () => {
  const other = 'packages/cli/src/other.ts'

  expect(findBarePrograms(other, `${starters}\nspawn(process.execPath)`)).toHaveLength(1)
  expect(findBarePrograms(other, "import type { ChildProcess } from 'child_process'")).toEqual([])
  expect(findBarePrograms(other, "import { type ChildProcess } from 'child_process'")).toEqual([])
})

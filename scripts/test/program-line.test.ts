import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { programLine } from '../program-line.mjs'

test('on Windows a program of npm is run by Node itself, in a folder with a space too', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'line-')), 'Jane Doe')
  const bin = join(folder, 'node_modules', '.bin')
  const script = join(folder, 'node_modules', 'typescript', 'bin', 'tsc')
  const npm = join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js')
  for (const file of [join(bin, 'tsc'), script, npm])
    mkdirSync(join(file, '..'), { recursive: true })
  // As npm writes it beside tsc.cmd and tsc.ps1.
  writeFileSync(
    join(bin, 'tsc'),
    '#!/bin/sh\nbasedir=$(dirname "$0")\nexec node  "$basedir/../typescript/bin/tsc" "$@"\n',
  )
  for (const file of [script, npm]) writeFileSync(file, '')
  const execPath = join(folder, 'node.exe')
  const lineOf = (command: string) =>
    programLine(command, ['-b', 'a b'], folder, { platform: 'win32', execPath })

  expect(lineOf('tsc')).toEqual({ file: execPath, args: [script, '-b', 'a b'] })
  expect(lineOf('npm')).toEqual({ file: execPath, args: [npm, '-b', 'a b'] })
  expect(lineOf('node')).toEqual({ file: execPath, args: ['-b', 'a b'] })
  expect(lineOf('other.exe')).toEqual({ file: 'other.exe', args: ['-b', 'a b'] })
  expect(programLine('tsc', [], folder, { platform: 'linux' })).toEqual({ file: 'tsc', args: [] })
})

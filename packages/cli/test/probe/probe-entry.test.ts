import { chmodSync, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

import { expect, onTestFinished } from 'vitest'

import { testOnPosix } from '../../../../test-support/on-posix.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'
import type { Io } from '../../src/io.ts'
import { probeEntry } from '../../src/registry/probe.ts'

testOnPosix(
  'looking at a server starts no program of a folder that PATH names by a relative path',
  async () => {
    const folder = folderWith({ true: '#!/bin/sh\n: > ran\n' })
    chmodSync(join(folder, 'true'), 0o755)
    const [cwd, path] = [process.cwd(), process.env['PATH']]
    onTestFinished(() => {
      process.chdir(cwd)
      process.env['PATH'] = path
    })
    process.chdir(folder)
    process.env['PATH'] = ['.', path].join(delimiter)

    const entry = { kind: 'command', command: '/bin/false', args: [], env: {} } as const
    await probeEntry(entry, { env: process.env, signal: AbortSignal.timeout(8_000) } as Io)

    expect(existsSync(join(folder, 'ran'))).toBe(false)
  },
)

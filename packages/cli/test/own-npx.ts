import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import { onTestFinished } from 'vitest'

/** Until the test has ended `npx` starts this program, whatever package it is told: packages of a test are published nowhere. */
export function useOwnNpx(command: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'parley-npx-'))
  if (process.platform === 'win32') {
    const words = command.map((word) => `"${word}"`).join(' ')
    writeFileSync(join(folder, 'npx.cmd'), `@${words}\r\n`)
  } else {
    const words = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
    writeFileSync(join(folder, 'npx'), `#!/bin/sh\nexec ${words.join(' ')}\n`)
    chmodSync(join(folder, 'npx'), 0o755)
  }
  const before = process.env['PATH'] ?? ''
  process.env['PATH'] = `${folder}${delimiter}${before}`
  onTestFinished(() => {
    process.env['PATH'] = before
    rmSync(folder, { recursive: true, force: true })
  })
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { size } from '../../../../test-support/thorough.ts'

const runner = fileURLToPath(new URL('fixtures/random-runs.mjs', import.meta.url))

test('programs that are paused and killed at random send no call twice, and none diverges', async () => {
  const count = size(24, 1_000)
  const folder = mkdtempSync(join(tmpdir(), 'killed-'))
  let kills = 0

  for (;;) {
    const child = spawn(execPath, [runner, folder, String(count), String(kills + 1)], {
      stdio: 'inherit',
    })
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null] // as Node says
    if (code === 0) break
    expect(signal).toBe('SIGKILL')
    kills += 1
    // The lock of a process that is known to be dead need not grow stale.
    for (const file of readdirSync(folder)) if (file.endsWith('.lock')) rmSync(join(folder, file))
  }

  const outcomes = Array.from({ length: count }, (_, run) =>
    readFileSync(join(folder, `run-${run}.done`), 'utf8'),
  )
  const sent = readFileSync(join(folder, 'server.log'), 'utf8').trim().split('\n')
  expect(outcomes.filter((text) => !text.includes('"ok":true'))).toEqual([])
  expect(sent.length - new Set(sent).size).toBe(0)
  expect(kills).toBeGreaterThan(count / 20)
  expect(existsSync(join(folder, 'pauses.log'))).toBe(true)
  console.log(
    `${count} programs, ${sent.length} calls, ${kills} times killed, ${readFileSync(join(folder, 'pauses.log'), 'utf8').split('\n').length - 1} pauses`,
  )
})

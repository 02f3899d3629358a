import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { root } from '../source-files.mjs'

/** The rules of CONTRIBUTING.md, "What a test may cost", that a text shows. */
const rules = [
  {
    name: 'sets no time limit of its own',
    // `test(title, { timeout }, …)`, `vi.waitFor(…, { timeout })` and `}, 60_000)` behind a test or hook.
    pattern:
      /^\s*\{ timeout[:] |\b(?:describe|test)\b.*\{ timeout[:] |(?:waitFor|waitUntil|poll)\(.*\{ timeout[:] |^ *\}, \d+_000\)$/m,
  },
  {
    name: 'sleeps for more than 50 ms only with the reason beside it',
    pattern:
      /(?:await (?:sleep|wait)\(|setTimeout\((?:resolve|done), |waitForTimeout\()(?:5[1-9]|[6-9]\d|\d{3,}|\d_\d+)\)[ )}]*$/m,
  },
]

/** Files that stand for a slow person or a slow machine, which no virtual clock reaches. */
const exceptions = new Set(['packages/host/test/brokers/clock.slow.test.ts'])

const files = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !file.includes('/fixtures/') && !exceptions.has(file))

describe.each(rules)('a test file', ({ name, pattern }) => {
  test(name, () => {
    const broken = files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')))

    expect(broken).toEqual([])
  })
})

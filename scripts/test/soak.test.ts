import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('../soak.mjs', import.meta.url))
const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['--expose-gc', script, ...args], { encoding: 'utf8' })

test.each([['--rounds', 'abc'], ['--rounds', '0'], ['--sessions', '-1'], ['--round=3']])(
  'measuring nothing is no success: %s %s',
  (...args) => {
    const { status, stderr } = run(...args)

    expect(status).toBe(2)
    expect(stderr.trim().split('\n').at(-1)).toContain('npm run soak -- [--rounds')
  },
)

test('says how it is used', () => {
  expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--sessions') })
})

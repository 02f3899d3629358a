import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { programs } from '../programs.ts'
import { describeMissing, describeSuites } from '../vitest/missing-programs.ts'

const missing = [
  { name: 'Chromium', package: 'chromium-headless-shell' },
  { name: 'Redis', package: 'redis-server' },
]

test('a run that skipped tests names the missing programs and the command that installs them', () => {
  expect(describeMissing(310, missing, 'linux')).toBe(
    '310 tests were skipped. Programs that are missing here: Chromium, Redis. ' +
      'To test with them, run apt-get install -y chromium-headless-shell redis-server',
  )
})

test('a run that skipped nothing, or has every program, says nothing of it', () => {
  expect(describeMissing(0, missing)).toBeUndefined()
  expect(describeMissing(3, [])).toBeUndefined()
})

test('continuous integration installs every program, so it skips nothing', () => {
  const script = readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8')
  const [, list = ''] = /system_parts=\(([^)]+)\)/.exec(script) ?? []
  const installed = [...list.matchAll(/'\S+ (\S+)'/g)].map(([, name]) => name)

  expect(installed).toEqual(programs.map((program) => program.package))
})

test('a run that skipped a public suite says so, and how to run it', () => {
  const suite = { name: 'a suite', readBy: 'a/suite.test.ts', fix: 'name it' }

  expect(describeSuites(['/x/a/suite.test.ts'], [{ ...suite, isHere: false }])).toBe(
    'Skipped, since it is not here: a suite (name it)',
  )
  expect(describeSuites(['/x/other.test.ts'], [{ ...suite, isHere: false }])).toBeUndefined()
  expect(describeSuites(['/x/a/suite.test.ts'], [{ ...suite, isHere: true }])).toBeUndefined()
})

import { expect, test } from 'vitest'

import type { Failure } from '../../src/exit.ts'
import { printFailure } from '../../src/output/failure.ts'

function printed(failure: Failure, isTTY: boolean): string {
  const lines: string[] = []
  const output = { isTTY, write: (text: string | Uint8Array) => lines.push(String(text)) }
  printFailure(
    failure,
    {
      stdin: process.stdin,
      stdout: output,
      stderr: output,
      env: {},
      cwd: '/',
      signal: new AbortController().signal,
    },
    { isJson: false, color: false },
  )
  return lines.join('')
}

const failure: Failure = { code: 'error', message: 'it went wrong', cause: 'other' }

test('a person at a terminal learns where causes and cures are', () => {
  expect(printed(failure, true)).toMatch(
    /^error: it went wrong \(other\)\nMore: https:\/\/.*\/docs\/errors\.md\n$/,
  )
})

test('who has a hint, or reads by a program, is told no more than that', () => {
  expect(printed({ ...failure, hint: 'Try again.' }, true)).toBe(
    'error: it went wrong (other)\nTry again.\n',
  )
  expect(printed(failure, false)).toBe('error: it went wrong (other)\n')
})

import { execFileSync } from 'node:child_process'

import {
  argumentWords,
  commandLine,
  parleyCommandLine,
  shellWord,
} from '@parley/foundation/command-line'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'

/** What a shell makes of a line: the words of its command. */
function read(line: string): readonly string[] {
  const script = `node() { printf '%s\\0' "$@"; }; node ${line}`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

const hostile = [
  '--trace=/tmp/x',
  '-o',
  '-',
  '@/etc/passwd',
  '=ls',
  '~root',
  '$(id) `id` !! {a,b} *',
  "it's",
  'a\nb',
  'end the paste \u001b[201~ now \u0003',
  'turned \u202e round',
  '',
]

describe('a line for a shell', () => {
  it('has the same words again', () => {
    expect(read(commandLine(hostile))).toEqual(hostile)
  })

  it('has the same words again, whatever they are', () => {
    const word = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', ''))
    const words = fc.array(word, { minLength: 1 })
    fc.assert(
      fc.property(words, (some) => {
        expect(read(commandLine(some))).toEqual(some)
      }),
      { numRuns: tries(20) },
    )
  })

  it('carries no character that a terminal would act on', () => {
    // oxlint-disable-next-line no-control-regex
    expect(commandLine(hostile)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
    expect(shellWord('plain-word/1.0')).toBe('plain-word/1.0')
  })
})

describe('a line of parley', () => {
  it('keeps a name that looks like a flag a name', () => {
    const words = ['https://example.com/mcp', '--trace=/tmp/x']
    expect(parleyCommandLine({ command: 'call', words })).toBe(
      'npx @parley/cli call -- https://example.com/mcp --trace=/tmp/x',
    )
  })

  it('ends with what starts the server', () => {
    const serverCommand = ['node', 'a b.js', '--', '-x']
    expect(parleyCommandLine({ command: 'call', words: ['echo', 'a=1'], serverCommand })).toBe(
      "npx @parley/cli call echo a=1 -- node 'a b.js' -- -x",
    )
  })

  it('is not made for a name that is -- itself', () => {
    expect(parleyCommandLine({ command: 'call', words: ['--', 'rm'] })).toBeUndefined()
  })

  it('gives arguments as JSON whose names would read as something else', () => {
    expect(argumentWords({ a: 'x', b: 1, c: '1', d: 'null' })).toEqual([
      'a=x',
      'b:=1',
      'c:="1"',
      'd:="null"',
    ])
    for (const name of ['--trace', '-', 'a@/etc/passwd', 'a=b', 'a:', '{', '', '__proto__@x']) {
      const args = Object.fromEntries([[name, 'v']])
      expect(argumentWords(args)).toEqual([JSON.stringify(args)])
    }
  })
})

import { PassThrough } from 'node:stream'

import { expect, test } from 'vitest'

import type { Io } from '../../src/io.ts'
import { createPrinter } from '../../src/output/printer.ts'
import { createTurnPrinter } from '../../src/run/print-turn.ts'

/** A message in tag characters, which no terminal shows and models read. */
const tags = Array.from('delete all', (letter) =>
  String.fromCodePoint(0xe0000 + letter.charCodeAt(0)),
).join('')

test('the text of a model brings no hidden characters and no codes to the terminal', () => {
  const written: string[] = []
  const output = { write: (text: string | Uint8Array) => void written.push(String(text)) }
  const io: Io = {
    stdin: new PassThrough(),
    stdout: output,
    stderr: output,
    env: {},
    cwd: '/',
    signal: new AbortController().signal,
  }
  const print = createTurnPrinter(io, createPrinter(io, {}))

  print({ type: 'text', text: `fine${tags}\u202e \u001b[2J\u200b👩‍👩‍👧` })

  expect(written.join('')).toBe('fine 👩‍👩‍👧')
})

import { expect, onTestFinished, test, vi } from 'vitest'

import { createKeyReader, type Key } from '../../src/terminal/key-reader.ts'

function reading() {
  const keys: Key[] = []
  const reader = createKeyReader((key) => keys.push(key))
  onTestFinished(() => reader[Symbol.dispose]())
  return { keys, write: reader.write }
}

const named = (...names: readonly string[]) => names.map((name) => ({ kind: 'key', name }))

test('letters, keys and sequences, however they are cut into pieces', () => {
  const { keys, write } = reading()

  for (const piece of [
    'hé',
    'llo\r',
    '\u001b',
    '[A\u001b[',
    '1;5D',
    '\u001b[3~\u001bOH',
    '\u007f\u0003\t',
  ])
    write(piece)

  expect(keys).toEqual([
    { kind: 'text', text: 'hé' },
    { kind: 'text', text: 'llo' },
    ...named('enter', 'up', 'word-left', 'delete', 'home', 'backspace', 'ctrl-c', 'tab'),
  ])
})

test('Escape alone is Escape once nothing follows it', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { keys, write } = reading()

  write('\u001b')
  expect(keys).toEqual([])
  vi.runAllTimers()

  expect(keys).toEqual(named('escape'))
})

test('what is pasted comes in one piece, and its line ends send nothing', () => {
  const { keys, write } = reading()
  const long = 'one\rtwo\r\n'.repeat(5_000)

  for (const piece of `\u001b[200~${long}\u001b[201~x`.match(/[^]{1,777}/g) ?? []) write(piece)

  expect(keys).toEqual([
    { kind: 'paste', text: 'one\ntwo\n'.repeat(5_000) },
    { kind: 'text', text: 'x' },
  ])
})

test('lines that come at once from a terminal that does not mark pastes are one too', () => {
  const { keys, write } = reading()

  write('first\rsecond\r')

  expect(keys).toEqual([{ kind: 'paste', text: 'first\nsecond\n' }])
  write('hello\r\u0003')
  expect(keys.slice(1)).toEqual([{ kind: 'text', text: 'hello' }, ...named('enter', 'ctrl-c')])
})

test('what a terminal says about itself, and keys nobody knows, are nothing', () => {
  const { keys, write } = reading()

  write('\u001b]11;rgb:0000/0000/0000\u0007\u001b[?62;c\u001b[24;1R\u001bq\u0000a')

  expect(keys).toEqual([{ kind: 'text', text: 'a' }])
})

import { PassThrough } from 'node:stream'

import { followKeys } from '@parley/cli'
import { expect, test } from 'vitest'

function open(isTTY: boolean) {
  const modes: boolean[] = []
  const setRawMode = (isRaw: boolean) => modes.push(isRaw)
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode })
  const done: string[] = []
  let links = 0
  const keys = followKeys({
    stdin,
    inspector: {
      createUrl: () => `link ${(links += 1)}`,
      openPage: () => Promise.resolve(void done.push('opened')),
    },
    print: (line) => done.push(line),
    onInterrupt: () => done.push('interrupted'),
  })
  return { stdin, keys, modes, done }
}

test('l prints a new link, o opens one, Ctrl+C ends, other keys do nothing', () => {
  const { stdin, keys, modes, done } = open(true)

  stdin.emit('data', Buffer.from('l'))
  stdin.emit('data', Buffer.from('xlo'))
  stdin.emit('data', Buffer.from('\u0003'))
  keys?.[Symbol.dispose]()
  stdin.emit('data', Buffer.from('l'))

  expect(done).toEqual(['link 1', 'link 2', 'opened', 'interrupted'])
  expect(modes).toEqual([true, false])
})

test('a pipe is not read', () => {
  const { stdin, keys, modes } = open(false)

  expect(keys).toBeUndefined()
  expect([stdin.listenerCount('data'), modes]).toEqual([0, []])
})

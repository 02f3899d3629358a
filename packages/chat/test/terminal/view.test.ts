import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'

import { startTerminalChat, type TerminalIo } from '@parley/chat'
import { expect, onTestFinished, test, vi } from 'vitest'

import { openTestChat } from '../fixtures/test-chat.mjs'
import { testModel } from '../fixtures/test-model.mjs'
import { testServers } from '../fixtures/test-servers.mjs'

/** A terminal that remembers what was written to it. */
function fakeTerminal(env: TerminalIo['env'] = {}) {
  const chunks: string[] = []
  const modes: boolean[] = []
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: false,
    setRawMode(isRaw: boolean) {
      modes.push(isRaw)
      stdin.isRaw = isRaw
      return stdin
    },
    ref: () => stdin,
    unref: () => stdin,
  })
  const stdout = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns: 80,
    rows: 30,
    write(text: string) {
      chunks.push(text)
      return true
    },
  })
  const io = { stdin, stdout, env, cwd: '/' } as unknown as TerminalIo // as much of a terminal as is used
  return { io, stdin, stdout, chunks, modes, raw: () => chunks.join('') }
}

/** Without the codes for places and colours. */
function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '')
}

async function sitting(env?: TerminalIo['env']) {
  const chat = openTestChat({ models: [testModel()], servers: testServers() })
  const terminal = fakeTerminal(env)
  const ended = startTerminalChat(chat, terminal.io)
  onTestFinished(() => chat[Symbol.asyncDispose]())
  const sees = (text: string | RegExp) =>
    vi.waitFor(() => expect(plain(terminal.raw())).toMatch(new RegExp(text)))
  await sees('/help lists')
  return { ...terminal, chat, ended, sees, type: (text: string) => terminal.stdin.write(text) }
}

test('draws what is written and answered, and leaves the terminal as it was', async () => {
  const { type, sees, ended, modes, raw, stdin } = await sitting()
  expect(raw()).toContain('\u001b[?2004h')

  type('Hello')
  await sees('> Hello')
  type('\r')
  await sees('You said 5 characters')
  type('/quit')
  type('\r')
  await ended

  expect(modes).toEqual([true, false])
  expect(raw().lastIndexOf('\u001b[?2004l')).toBeGreaterThan(raw().lastIndexOf('\u001b[?2004h'))
  expect(raw()).toContain('\u001b[?25h')
  expect(stdin.listenerCount('data')).toBe(0)
})

test('codes of the model and of a server reach the terminal as text only', async () => {
  const { type, sees, raw } = await sitting()

  type('codes')
  type('\r')
  await sees('\\\\e\\[31mred\\\\e\\[2J\\\\e\\]0;owned\\\\x07 end')
  type('call evil')
  type('\r')
  await sees('Allow this call\\?')
  type('y')
  await sees('It answered')

  expect(raw()).not.toContain('\u001b]0;')
  expect(raw()).not.toContain('\u009b')
  expect(raw()).not.toContain('\u0007')
  expect(raw()).not.toContain('\u001b[31m and')
})

test('a long answer is written once, line by line', async () => {
  const { type, sees, raw } = await sitting()

  type('lines 200')
  type('\r')
  await sees('line 200')

  const text = plain(raw())
  expect(text.match(/^line 1$/gm)).toHaveLength(1)
  expect(text.match(/^line 150$/gm)).toHaveLength(1)
})

test('a window that becomes narrow is drawn anew', async () => {
  const { type, sees, stdout, chunks } = await sitting()
  type('a long line of words that does not fit into a window of thirty columns')
  await sees('thirty columns')

  chunks.length = 0
  stdout.columns = 30
  stdout.emit('resize')
  await sees('> a long line of words that')

  for (const line of plain(chunks.join('')).split('\n')) {
    expect(Array.from(line).length, line).toBeLessThanOrEqual(30)
  }
})

test('NO_COLOR leaves colours out', async () => {
  const { type, sees, raw } = await sitting({ NO_COLOR: '1' })

  type('call add {"text":"milk"}')
  type('\r')
  await sees('Allow this call\\?')

  // oxlint-disable-next-line no-control-regex
  expect(raw()).not.toMatch(/\u001b\[[\d;]*m/)
})

test('the end of the input, and a signal, end it too', async () => {
  const first = await sitting()
  first.stdin.end()
  await first.ended

  const chat = openTestChat({ models: [testModel()] })
  onTestFinished(() => chat[Symbol.asyncDispose]())
  const { io, modes } = fakeTerminal()
  const stop = new AbortController()
  const ended = startTerminalChat(chat, { ...io, signal: stop.signal })
  stop.abort()
  await ended
  expect(modes.at(-1)).toBe(false)
})

test('where there is no terminal it says what to do', async () => {
  const chat = openTestChat({ models: [testModel()] })
  onTestFinished(() => chat[Symbol.asyncDispose]())
  const { io, stdin } = fakeTerminal()
  stdin.isTTY = false

  await expect(startTerminalChat(chat, io)).rejects.toThrow('this needs a terminal')
})

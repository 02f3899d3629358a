import { readFileSync } from 'node:fs'

import { createChatSetup } from '@parley/chat'
import { loadConfig } from '@parley/foundation/config'
import { expect, onTestFinished, test, vi } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import type { Key, KeyName } from '../../src/terminal/key-reader.ts'
import { layOut } from '../../src/terminal/layout.ts'
import { createTerminalSession } from '../../src/terminal/session.ts'
import { openTestChat } from '../fixtures/test-chat.mjs'
import { testModel } from '../fixtures/test-model.mjs'
import { testServers } from '../fixtures/test-servers.mjs'
import { openTalk } from '../talking.ts'
import { createWorkshop, inProcess } from '../workshop.ts'
import { textOf } from './texts.ts'

function sitting(waitFor?: () => Promise<void>) {
  const models = [testModel('first/model'), testModel('second/model')] as const
  const chat = openTestChat({ models, servers: testServers(waitFor) })
  const cwd = folderWith({})
  const session = createTerminalSession(chat, { cwd })
  onTestFinished(async () => {
    session[Symbol.dispose]()
    await chat[Symbol.asyncDispose]()
  })
  const press = (...keys: readonly (KeyName | Key)[]): void => {
    for (const key of keys)
      session.press(typeof key === 'string' ? { kind: 'key', name: key } : key)
  }
  const type = (text: string): void => session.press({ kind: 'text', text })
  const written = () => textOf(session.state.written)
  const live = (size = { columns: 80, rows: 30 }) => textOf(layOut(session.state, size))
  const sees = (text: string | RegExp) =>
    vi.waitFor(() => expect(`${written()}\n${live()}`).toMatch(new RegExp(text)))
  const idle = () => vi.waitFor(() => expect(session.state.turn).toBe('none'))
  return { chat, session, press, type, written, live, sees, idle, models, cwd }
}

test('what is written is said, and the answer comes', async () => {
  const { press, type, written, sees, idle, session } = sitting()

  type('Hello')
  press('enter')
  await sees('You said 5 characters to first/model: Hello')
  await idle()

  expect(written()).toContain('> Hello\nYou said 5 characters')
  expect(session.state.composer.text).toBe('')
})

test('a call is asked about, shown while it runs, and its result stays [TUI-02] [TUI-09]', async () => {
  const { press, type, written, live, sees, idle } = sitting()

  type('call add {"text":"milk"}')
  press('enter')
  await sees('Allow this call\\?')
  expect(live()).toContain('"text": "milk"')
  type('y')
  await idle()
  type('call add {"text":"bread"}')
  press('enter')
  await sees('Allow this call\\?')
  type('n')
  await idle()

  expect(written()).toContain(
    '✓ notes · add {"text":"milk"}\n  Added milk.\nIt answered: Added milk.',
  )
  expect(written()).toContain('⊘ notes · add {"text":"bread"}\n  the user answered: no (once)')
})

test('parallel calls come as one question', async () => {
  const { press, type, written, sees, idle } = sitting()

  type('two')
  press('enter')
  await sees('The model wants 2 calls')
  type('Y')
  await idle()

  expect(written()).toMatch(/Added milk\.\n.*\n.*Added bread\./)
})

test('progress is shown while a call runs, without its control codes [OBS-01]', async () => {
  let finish = (): void => {}
  const { press, type, live, sees, idle } = sitting(
    () => new Promise((resolve) => (finish = resolve)),
  )

  type('call work')
  press('enter')
  await sees('Allow this call\\?')
  type('y')
  await sees('███░░░░░░░ 30 %')
  expect(live()).toContain('30 % counting \\e[2J sheep')
  finish()
  await idle()

  await sees('worked')
})

test('a form is answered in the terminal, and so is a request to the model', async () => {
  const { press, type, written, sees, idle } = sitting()

  type('call ask')
  press('enter')
  await sees('Allow this call\\?')
  type('y')
  await sees('How do you want it\\?')
  for (const letter of 'Ada') type(letter)
  press('enter', 'down', 'enter')
  type('y')
  type('3')
  press('enter')
  await sees('This is sent')
  press('enter')
  await idle()
  expect(written()).toContain('"content":{"name":"Ada","size":"large","hot":true,"count":3}')

  type('call sample')
  press('enter')
  await sees('Allow this call\\?')
  type('y')
  await sees('wants an answer of the model')
  type('y')
  await sees('Give this answer to notes\\?')
  type('y')
  await idle()
  expect(written()).toContain('You said 10 characters to first/model: Say hello.')
})

test('what is being written when a question comes is not taken for its answer', async () => {
  const { press, type, live, sees, idle, session, chat } = sitting()
  type('call add {"text":"milk"}')
  press('enter')
  type('y') // the beginning of the next message
  await sees('Tab goes to the question')

  type('es')
  expect(chat.questions).toHaveLength(1)
  expect(session.state.composer.text).toBe('yes')
  press('tab')
  expect(live()).toContain('y once')
  type('y')
  await idle()

  expect(session.state.composer.text).toBe('yes')
})

test('Escape stops the turn; Ctrl-C stops it too, and again it leaves [TUI-15] [OBS-02]', async () => {
  const { press, type, written, sees, idle, session } = sitting()
  let hasLeft = false
  void session.left.then(() => (hasLeft = true))

  type('hang')
  press('enter')
  await sees('I begin')
  press('escape')
  await idle()
  expect(written()).toContain('I begin\n! the turn was stopped')

  type('hang')
  press('enter')
  await sees(/I begin[^]*I begin/)
  press('ctrl-c')
  await idle()
  expect(hasLeft).toBe(false)
  press('ctrl-c')
  await session.left
})

test('Escape at a question stops the turn, and nothing is called', async () => {
  const { press, type, written, sees, idle, chat } = sitting()

  type('call add {"text":"milk"}')
  press('enter')
  await sees('Allow this call\\?')
  press('escape')
  await idle()

  expect(chat.questions).toEqual([])
  expect(written()).not.toContain('Added milk')
})

test('Ctrl-C on an empty line says that the next one leaves; any other key takes that back', async () => {
  const { press, type, live, session } = sitting()

  type('draft')
  press('ctrl-c')
  expect(session.state.composer.text).toBe('')
  press('ctrl-c')
  expect(live()).toContain('Ctrl-C again leaves')
  type('x')
  press('backspace')
  expect(live()).not.toContain('Ctrl-C again leaves')
  press('ctrl-d')
  await session.left
})

test('commands: model, mode, servers, prompts, resources, new, open, export, help', async () => {
  const { press, type, written, sees, idle, models, cwd, session } = sitting()
  const command = (text: string): void => {
    type(text)
    press('enter')
  }

  command('/help')
  await sees('/export \\[FILE.md or FILE.json\\]')
  command('/model')
  await sees('▸ first/model')
  command('/model third')
  await sees('there is no model third; there is: first/model, second/model')
  command('/model second/model')
  await sees('second/model answers from now on')
  command('Hello')
  await sees('to second/model: Hello')
  await idle()
  command('/servers')
  await sees('notes  6 tools, 1 prompts, 1 resources')
  command('/mode search')
  await sees('tools: search')
  command('/prompts')
  await sees('notes/greet who=…')
  command('/prompts notes/greet')
  await sees('it needs who=…')
  command('/prompts notes/greet who=Ada Lovelace')
  await sees('│ Greet Ada Lovelace.')
  command('/resources')
  await sees('notes notes://list')
  command('/resources notes notes://list')
  await sees('notes://list goes with your next message')
  command('And now?')
  await sees('notes://list was attached')
  await idle()
  const request = models[1].requests.at(-1)
  expect(request?.tools.map(({ name }) => name)).toContain('find_tools')
  expect(JSON.stringify(request?.messages)).toContain('Greet Ada Lovelace.')
  expect(JSON.stringify(request?.messages)).toContain('milk, bread')
  command('/mode code')
  await sees('tools: code')
  command('Write a program.')
  await sees('to second/model: Write a program.')
  await idle()
  expect(models[1].requests.at(-1)?.tools.map(({ name }) => name)).toContain('run_code')
  command('/export talk.md')
  await sees('written to .*talk.md')
  expect(readFileSync(`${cwd}/talk.md`, 'utf8')).toContain('## You\n\nHello')
  command('/export talk.md')
  await sees('talk.md is there already: name another file')
  command('/export talk.txt')
  await sees('has to end with .md or .json')
  command('/new')
  await sees('A new conversation.')
  command('Other')
  await idle()
  command('/open')
  await sees(/1 \S.*\n2 \S/)
  command('/open hello')
  await vi.waitFor(() => expect(written().split('> Hello')).toHaveLength(3))
  command('/opne')
  await sees('did you mean /open\\?')
  command('/etc/hosts is a path')
  await sees('You said 20 characters')
  command('/quit')
  await session.left
})

test('commands: tools, permissions, context, undo', async () => {
  const { press, type, written, sees, idle } = sitting()
  const command = (text: string): void => {
    type(text)
    press('enter')
  }

  command('/permissions')
  await sees('every call is asked about')
  command('call add {"text":"milk"}')
  await sees('Allow this call\\?')
  type('s')
  await idle()
  command('/permissions')
  await sees('1 allowed notes · add  this session')
  command('/permissions forget 1')
  await sees('notes · add is asked about again')
  command('/permissions forget 1')
  await sees('write /permissions forget NUMBER')
  command('/tools off notes__add')
  await sees('the model does not know notes__add from now on')
  command('/tools notes')
  await sees('notes__add \\(off\\)')
  command('/tools off none')
  await sees('there is no tool none: /tools lists them')
  command('/context')
  await sees('definitions and instructions: about \\d+ of 128000 tokens')
  command('/undo')
  await sees('You are before your last message.')
  command('/undo')
  await sees('/undo: nothing was said yet')
  command('/signin')
  await sees('name a server: none wants a sign-in')
  command('/add')
  await sees('servers cannot be added here')
  expect(written()).toContain('> call add')
})

test('who comes for the first time is told what to set up, and can do it there', async () => {
  const folder = folderWith({
    'other.json': { mcpServers: { tools: { command: 'tools', args: ['--stdio'] } } },
    'work/note.txt': '',
  })
  const chat = await openTalk()
  const setup = createChatSetup(chat, {
    file: `${folder}/settings.json`,
    load: () => loadConfig({ files: [`${folder}/other.json`] }),
    toServer: ({ name }) => inProcess(name, createWorkshop()),
    openModel: (name) => testModel(name),
    env: {},
    findLocal: async () => [],
    own: {
      add: async (name) => inProcess(name, createWorkshop()),
      remove: async () => undefined,
    },
  })
  const session = createTerminalSession(chat, { cwd: folder, setup })
  onTestFinished(() => session[Symbol.dispose]())
  const sees = (text: string) =>
    vi.waitFor(() => expect(textOf(session.state.written)).toMatch(new RegExp(text)))
  const command = (text: string): void => {
    session.press({ kind: 'text', text })
    session.press({ kind: 'key', name: 'enter' })
  }

  await sees('You are here for the first time.')
  command('/add')
  await sees('tools  tools --stdio')
  command('/add tools')
  await sees('tools was added: tools --stdio')
  command('/add tools')
  await sees('a server of this name is there already')
  command('/add mail https://mail.example/mcp')
  await sees('mail was added to your configuration')
  command('/folders wrok')
  await sees('there is no folder')
  command('/folders work')
  await sees(`servers now know ${folder}/work`)
  command('/folders work')
  await sees('servers no longer know')
  command('/model')
  await sees('openai/gpt-5  at api.openai.com; you are asked for a key once')
  command('/model other/model http://127.0.0.1:1/v1')
  await sees('other/model answers from now on')
  command('Hello')
  await vi.waitFor(() => expect(textOf(session.state.written)).toContain('to other/model: Hello'))
  expect(chat.host.servers.map(({ name }) => name)).toEqual(['tools', 'mail'])
  expect(await setup.isFirstRun()).toBe(false)
})

test('Tab completes commands and models; what was written comes back with the arrows', async () => {
  const { press, type, session, sees, idle } = sitting()

  type('/mo')
  press('tab')
  expect(session.state.composer.text).toBe('/mode')
  type('l s')
  press('tab')
  expect(session.state.composer.text).toBe('/model second/model')
  press('escape')
  type('first')
  press('enter')
  await sees('You said 5')
  await idle()
  type('draft')
  press('up')
  expect(session.state.composer.text).toBe('first')
  press('up', 'down')
  expect(session.state.composer.text).toBe('draft')
})

test('a long paste is sent whole', async () => {
  const { press, session, sees } = sitting()
  const text = 'a row of words\n'.repeat(1_000).trim()

  session.press({ kind: 'paste', text })
  expect(session.state.composer.text).toContain('[pasted 1: 1000 lines')
  press('enter')

  await sees(`You said ${text.length} characters`)
})

test('a window of 20 columns and 8 lines holds everything: nothing is wider or higher', async () => {
  const { press, type, sees, session } = sitting()
  const size = { columns: 21, rows: 8 }
  const fits = (): void => {
    const lines = textOf(layOut(session.state, size)).split('\n')
    expect(Math.max(...lines.map((line) => Array.from(line).length))).toBeLessThanOrEqual(20)
    expect(lines.length).toBeLessThanOrEqual(9)
  }

  fits()
  type(`call add ${JSON.stringify({ text: 'milk and bread '.repeat(50) })}`)
  fits()
  press('enter')
  await sees('Allow this call\\?')
  fits()
  press('page-down')
  fits()
})

import { execPath } from 'node:process'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'

import { openModel, createScriptedModel, type ScriptedTurn } from '@parley/host/models'
import { expect, test } from 'vitest'

import { folderWith } from '../../test-support/temporary-folder.ts'
import { chat } from '../chat.ts'

const poisoned = fileURLToPath(
  new URL('../../packages/host/test/fixtures/poisoned-server.mjs', import.meta.url),
)

async function play(
  words: readonly string[],
  lines: readonly string[],
  script: readonly ScriptedTurn[],
) {
  const model = createScriptedModel(script, { announcement: '' })
  const input = new PassThrough()
  input.end(lines.map((line) => `${line}\n`).join(''))
  let said = ''
  await chat(words, model, input, (text) => (said += text))
  return { said, model }
}

const twoRounds: readonly ScriptedTurn[] = [
  { calls: [{ name: 'server__echo', arguments: { n: 1 }, id: 'first' }] },
  { calls: [{ name: 'server__echo', arguments: { n: 2 }, id: 'second' }] },
  'Twice.',
  'I remember.',
]

test('starts a server, lists its tools, and calls in rounds with memory [CHAT-02] [CHAT-03] [CHAT-05] [CHAT-06] [CHAT-08] [HDEC-09] [HDEC-10]', async () => {
  const { said, model } = await play(
    [poisoned],
    ['Go.', 'y', 'yes', 'Still there?', 'QUIT'],
    twoRounds,
  )

  expect(said).toContain('server: echo, crash, hang')
  expect(said).toContain('[Calling tool echo with args {"n":1}]')
  expect(said).toContain('Allow it? [y/N]')
  expect(said).toContain('[Calling tool echo with args {"n":2}]')
  expect(said).toContain('Twice.')
  expect(said).toContain('I remember.')
  expect(model.requests[0]?.tools[0]).toMatchObject({
    name: 'server__echo',
    description: 'Says it again.',
  })
  const results = model.requests[2]?.messages.flatMap((one) =>
    one.role === 'tool' ? [one.callId] : [],
  )
  expect(results).toEqual(['first', 'second'])
  expect(model.requests[3]?.messages.length).toBeGreaterThan(5)
})

test('a refusal is told to the model, errors do not end the loop, and the end of input does [CHAT-04] [CHAT-11]', async () => {
  const [first] = twoRounds
  const script = [first ?? '', 'As you like.', { error: new Error('out of reach') }, 'Back.']
  const { said } = await play([poisoned], ['Go.', 'n', 'Hello?', 'And now?'], script)

  expect(said).toContain('As you like.')
  expect(said).toContain('Error: out of reach')
  expect(said).toContain('Back.')
})

test('several servers come from a file, and --yes asks nothing [CHAT-12] [CHAT-14]', async () => {
  const mcpServers = {
    server: { command: execPath, args: [poisoned] },
    dead: { command: 'no-such-program' },
  }
  const folder = folderWith({ 'mcp.json': { mcpServers } })
  const { said } = await play(['--yes', `${folder}/mcp.json`], ['Go.', 'quit'], twoRounds)

  expect(said).toContain('dead: ')
  expect(said).not.toContain('Allow it?')
  expect(said).toContain('Twice.')
})

test('says how it is used [CHAT-01]', async () => {
  for (const words of [[], ['server.rb']]) {
    await expect(play(words, [], [])).rejects.toThrow('usage: chat')
  }
})

test('a missing key is named [CHAT-09]', async () => {
  const input = new PassThrough()
  input.end('Hello?\nquit\n')
  let said = ''
  const model = openModel({ name: 'openai/any', env: {} })
  await chat([poisoned], model, input, (text) => (said += text))

  expect(said).toContain('Error: openai/any needs a key: set OPENAI_API_KEY')
})

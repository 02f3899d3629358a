import { exportConversation, importConversation, openConversationStore } from '@parley/chat'
import type { TranscriptEntry } from '@parley/host'
import { expect, onTestFinished, test } from 'vitest'

const at = 1_700_000_000_000

const entries: readonly TranscriptEntry[] = [
  {
    kind: 'message',
    turn: 1,
    at,
    message: {
      role: 'user',
      content: [
        { type: 'text', text: 'Add **milk**.' },
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      ],
    },
  },
  { kind: 'event', turn: 1, at, event: { type: 'server', server: 'notes', state: 'ready' } },
  {
    kind: 'message',
    turn: 1,
    at,
    message: {
      role: 'assistant',
      text: '',
      calls: [{ id: 'c1', name: 'notes__add', argumentsText: '{"text":"milk"}' }],
    },
  },
  {
    kind: 'event',
    turn: 1,
    at,
    event: { type: 'call', id: 'c1', server: 'notes', tool: 'add', arguments: { text: 'milk' } },
  },
  {
    kind: 'event',
    turn: 1,
    at,
    event: { type: 'decision', id: 'c1', decision: 'allow', rule: 'the user answered: yes (once)' },
  },
  {
    kind: 'event',
    turn: 1,
    at,
    event: {
      type: 'result',
      id: 'c1',
      server: 'notes',
      tool: 'add',
      isError: false,
      content: [{ type: 'text', text: 'Added\n```\n# not a heading\n```' }],
      wasCalled: true,
    },
  },
  { kind: 'flow', turn: 1, at, flow: { untrusted: true, private: false } },
  {
    kind: 'message',
    turn: 1,
    at,
    message: {
      role: 'tool',
      callId: 'c1',
      name: 'notes__add',
      content: [{ type: 'text', text: 'Added' }],
      isError: false,
    },
  },
  { kind: 'message', turn: 1, at, message: { role: 'assistant', text: 'It is there.', calls: [] } },
  {
    kind: 'event',
    turn: 1,
    at,
    event: { type: 'end', reason: 'answered', text: 'It is there.' },
  },
]

async function stored() {
  const store = openConversationStore({ file: ':memory:' })
  onTestFinished(() => store[Symbol.asyncDispose]())
  const { id } = await store.create({ model: 'openai/gpt-5', title: 'Shopping [list]' })
  await store.append(id, entries)
  const loaded = await store.load(id)
  if (loaded === undefined) throw new Error('it was not stored')
  return { store, loaded }
}

test('JSON has all of it, and comes in again as a new conversation', async () => {
  const { store, loaded } = await stored()

  const text = exportConversation(loaded, 'json')
  const imported = await importConversation(store, text)

  expect(imported).toMatchObject({ title: 'Shopping [list]', model: 'openai/gpt-5', turns: 1 })
  expect(imported.id).not.toBe(loaded.id)
  expect((await store.load(imported.id))?.transcript.entries).toEqual(entries)
})

test('Markdown is for people: who said what, each call with arguments, decision and result', async () => {
  const { loaded } = await stored()

  const text = exportConversation(loaded, 'markdown')

  expect(text).toContain('# Shopping \\[list\\]\n')
  expect(text).toContain('## You\n\nAdd **milk**.\n\n(image, image/png)\n')
  expect(text).toContain('**Call** notes · add\n\n```json\n{\n  "text": "milk"\n}\n```\n')
  expect(text).toContain('Allowed: the user answered: yes (once)\n')
  expect(text).toContain('**Result** notes · add\n\n````\nAdded\n```\n# not a heading\n```\n````\n')
  expect(text).toContain('## openai/gpt-5\n\nIt is there.\n')
})

test('a file that is no conversation is refused with the reason, and nothing is left of it', async () => {
  const { store, loaded } = await stored()
  const good = JSON.parse(exportConversation(loaded, 'json'))
  const changed = (change: object) => JSON.stringify({ ...good, ...change })
  const withEntry = (entry: unknown) =>
    changed({ transcript: { ...good.transcript, entries: [...entries, entry] } })
  const wrong: readonly (readonly [string, string])[] = [
    ['# A heading', 'the file is not JSON: export the conversation as JSON'],
    ['{"mcpServers": {}}', 'not a conversation that Parley exported'],
    [changed({ version: 2 }), 'the file has version 2: this Parley reads version 1'],
    [changed({ title: 7 }), 'the file lacks its title, model or transcript'],
    [withEntry({ kind: 'message', turn: 1, at, message: { role: 'boss' } }), 'entry 11 of'],
    [withEntry({ kind: 'event', turn: 1, at, event: { type: 'result' } }), 'entry 11 of'],
    [withEntry({ kind: 'flow', turn: -1, at, flow: {} }), 'entry 11 of'],
    [withEntry(null), 'entry 11 of'],
  ]

  for (const [text, reason] of wrong) {
    await expect(importConversation(store, text)).rejects.toThrow(reason)
  }
  expect(await store.list()).toHaveLength(1)
})

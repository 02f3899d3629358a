import { statSync, writeFileSync } from 'node:fs'

import { openConversationStore, type ConversationStore } from '@parley/chat'
import type { TranscriptEntry } from '@parley/host'
import Database from 'libsql'
import { expect, onTestFinished, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'

function opened(file = `${folderWith({})}/chat.db`, more = {}): ConversationStore {
  const store = openConversationStore({ file, ...more })
  onTestFinished(() => store[Symbol.asyncDispose]())
  return store
}

/** A turn in which somebody says something and is answered. */
function turn(number: number, said: string, answered: string): readonly TranscriptEntry[] {
  const at = 1_700_000_000_000 + number
  return [
    {
      kind: 'message',
      turn: number,
      at,
      message: { role: 'user', content: [{ type: 'text', text: said }] },
    },
    {
      kind: 'message',
      turn: number,
      at,
      message: { role: 'assistant', text: answered, calls: [] },
    },
    { kind: 'event', turn: number, at, event: { type: 'end', reason: 'answered', text: answered } },
  ]
}

const titles = async (store: ConversationStore, search?: string) =>
  (await store.list({ search })).map(({ title }) => title)

test('a conversation lasts: what was appended is there when the file is opened again', async () => {
  const file = `${folderWith({})}/deep/er/chat.db`
  const first = openConversationStore({ file })
  const { id, title, turns } = await first.create({ model: 'm' })
  expect([title, turns]).toEqual(['', 0])
  await first.append(id, turn(1, 'What is the weather?', 'It rains.'))
  await first.append(id, turn(2, 'And tomorrow?', 'Sun.'))
  await first[Symbol.asyncDispose]()

  const loaded = await opened(file).load(id)

  expect(loaded).toMatchObject({ id, title: 'What is the weather?', model: 'm', turns: 2 })
  expect(loaded?.transcript).toEqual({
    version: 1,
    id,
    entries: [...turn(1, 'What is the weather?', 'It rains.'), ...turn(2, 'And tomorrow?', 'Sun.')],
  })
  expect(statSync(file).mode & 0o077).toBe(0)
})

test('the title is what was asked first, on one line and not too long, unless a person gave one', async () => {
  const store = opened()
  const { id } = await store.create({ model: 'm' })
  const { id: named } = await store.create({ model: 'm', title: '  My\u202e plans\n' })

  await store.append(id, turn(1, `a\n\nb ${'long '.repeat(100)}`, 'Yes.'))
  await store.append(named, turn(1, 'Something else', 'Yes.'))

  expect((await store.load(id))?.title).toMatch(/^a b long long .*…$/)
  expect((await store.load(id))?.title.length).toBeLessThanOrEqual(80)
  expect((await store.load(named))?.title).toBe('My plans')
  expect(await store.change(named, { title: 'Other', model: 'n' })).toMatchObject({
    title: 'Other',
    model: 'n',
  })
})

test('lists the newest first, in pages that do not overlap', async () => {
  const store = opened()
  const ids: string[] = []
  for (let at = 0; at < 7; at += 1) ids.push((await store.create({ model: 'm' })).id)

  const seen: string[] = []
  let before: { readonly changedAt: number; readonly id: string } | undefined
  for (;;) {
    const page = await store.list({ limit: 3, before })
    seen.push(...page.map(({ id }) => id))
    before = page.at(-1)
    if (before === undefined || seen.length > ids.length) break // pages that overlap would never end
  }

  expect(seen.toSorted()).toEqual(ids.toSorted())
  const all = await store.list()
  expect(all.map(({ id }) => id)).toEqual(seen)
})

test('finds words of titles and texts, by their beginnings, in any order and whatever else is typed', async () => {
  const store = opened()
  const weather = await store.create({ model: 'm', title: 'Weather in Zürich' })
  const code = await store.create({ model: 'm', title: 'Refactoring' })
  await store.append(weather.id, turn(1, 'Will it rain?', 'Clouds, then sunshine.'))
  await store.append(code.id, turn(1, 'Rename the function', 'Done, it is called sunrise now.'))

  expect(await titles(store, 'zurich')).toEqual(['Weather in Zürich'])
  expect(await titles(store, 'sunsh WEATHER')).toEqual(['Weather in Zürich'])
  expect((await titles(store, 'sun')).toSorted()).toEqual(['Refactoring', 'Weather in Zürich'])
  expect(await titles(store, 'sunrise rain')).toEqual([])
  expect(await titles(store, '"*) OR NEAR(a b; drop table entries--')).toEqual([])
  expect(await titles(store, ' "" ')).toHaveLength(2)
  await store.change(code.id, { title: 'Renamed' })
  expect(await titles(store, 'refactoring')).toEqual([])
  expect(await titles(store, 'renamed')).toEqual(['Renamed'])
  await store.remove(code.id)
  expect(await titles(store, 'sunrise')).toEqual([])
  expect(await store.load(code.id)).toBeUndefined()
})

test('a fork begins with the first turns and leaves the other alone', async () => {
  const store = opened()
  const { id } = await store.create({ model: 'm', title: 'Trip' })
  await store.append(id, turn(1, 'one', 'ONE'))
  await store.append(id, turn(2, 'two', 'TWO'))

  const fork = await store.fork(id, 1)

  expect(fork).toMatchObject({ title: 'Trip', model: 'm', turns: 1 })
  expect((await store.load(fork.id))?.transcript.entries).toEqual(turn(1, 'one', 'ONE'))
  expect((await store.load(id))?.turns).toBe(2)
  expect(await titles(store, 'ONE')).toHaveLength(2)
  await store.remove(id)
  expect(await titles(store, 'ONE')).toEqual(['Trip'])
})

test('what is not there is named; nothing of a turn that is too large is kept', async () => {
  const store = opened(undefined, { entryBytes: 1_000, conversationBytes: 2_000 })
  const { id } = await store.create({ model: 'm' })

  await expect(store.append('none', [])).rejects.toThrow('there is no conversation "none"')
  await expect(store.append(id, turn(1, 'small', 'x'.repeat(1_000)))).rejects.toThrow(
    /^an entry has \d+ bytes, and at most 1000 are kept/,
  )
  await store.append(id, turn(1, 'a'.repeat(300), 'b'.repeat(300)))
  await expect(store.append(id, turn(2, 'c'.repeat(300), 'd'.repeat(300)))).rejects.toThrow(
    /^a conversation has \d+ bytes, and at most 2000 are kept/,
  )

  expect((await store.load(id))?.transcript.entries).toHaveLength(3)
  expect(await titles(store, 'small')).toEqual([])
})

test('a file of another program, and one of a newer Parley, are refused and left as they are', async () => {
  const folder = folderWith({})
  writeFileSync(`${folder}/notes.txt`, 'my notes '.repeat(200))
  const newer = new Database(`${folder}/newer.db`)
  newer.pragma('user_version = 99')
  newer.close()

  expect(() => openConversationStore({ file: `${folder}/notes.txt` })).toThrow(
    'notes.txt holds no conversations, it is some other file: name another one',
  )
  expect(() => openConversationStore({ file: `${folder}/newer.db` })).toThrow(
    'newer.db was written by a newer Parley (form 99; this one knows 2): update Parley',
  )
  expect(statSync(`${folder}/notes.txt`).size).toBe(1_800)
})

test('a turn in other words is another version: the earlier one stays, and the list shows the newest', async () => {
  const store = opened()
  const { id } = await store.create({ model: 'm' })
  await store.append(id, turn(1, 'What is the weather?', 'It rains.'))
  await store.append(id, turn(2, 'And tomorrow?', 'Sun.'))

  const second = await store.revise(id, 2)
  await store.append(second.id, turn(2, 'And on Friday?', 'Snow.'))
  const third = await store.revise(second.id, 1)

  expect((await store.list()).map((one) => one.id)).toEqual([third.id])
  expect((await store.load(id))?.transcript.entries).toHaveLength(6)
  expect(JSON.stringify((await store.load(second.id))?.transcript)).toContain('on Friday')
  expect(await store.versions(second.id)).toEqual([
    { id, turn: 0 },
    { id: second.id, parent: id, turn: 2 },
    { id: third.id, parent: second.id, turn: 1 },
  ])
  await store.remove(second.id)
  expect([await store.load(id), await store.list()]).toEqual([undefined, []])
})

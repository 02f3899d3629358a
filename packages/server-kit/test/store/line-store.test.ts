import { appendFile, readFile, stat, writeFile } from 'node:fs/promises'

import { expect, test, vi } from 'vitest'

import { drop, freshPath, keysIn, noteLine, openNotes, put } from './support.ts'

test('is empty while there is no file, and makes none by reading', async () => {
  const path = await freshPath()

  expect(await keysIn(openNotes(path))).toEqual([])

  await expect(stat(path)).rejects.toThrow('ENOENT')
})

test('makes a file that only its user can read', async () => {
  const path = await freshPath()

  await put(openNotes(path), 'a', 'one')

  expect(await readFile(path, 'utf8')).toBe(`${noteLine('a', 'one')}\n`)
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('adds at the end without writing the rest again', async () => {
  const path = await freshPath()
  const store = openNotes(path)
  await put(store, 'a')
  const { ino } = await stat(path)

  await put(store, 'b')

  expect((await stat(path)).ino).toBe(ino)
  expect(await readFile(path, 'utf8')).toBe(`${noteLine('a')}\n${noteLine('b')}\n`)
})

test('ends the last line of a file that somebody left without a newline', async () => {
  const path = await freshPath()
  await writeFile(path, noteLine('a'))
  const store = openNotes(path)

  await put(store, 'b')

  expect(await readFile(path, 'utf8')).toBe(`${noteLine('a')}\n${noteLine('b')}\n`)
  expect(await keysIn(store)).toEqual(['a', 'b'])
})

test('a change keeps its line in place, lines of others, and members of others', async () => {
  const path = await freshPath()
  const mine = '{"key":"a","text":"old","since":2024}'
  await writeFile(path, `${mine}\n{"version":7}\n\n${noteLine('b')}\n`)
  const store = openNotes(path)

  await put(store, 'a', 'new')

  const changed = '{"key":"a","text":"new","since":2024}'
  expect(await readFile(path, 'utf8')).toBe(`${changed}\n{"version":7}\n${noteLine('b')}\n`)
})

test('work that throws changes nothing', async () => {
  const path = await freshPath()
  const store = openNotes(path)
  await put(store, 'a')

  const failing = store.change((_, edit) => {
    edit.add({ key: 'b', text: '' })
    throw new Error('not today')
  })

  await expect(failing).rejects.toThrow('not today')
  expect(await keysIn(store)).toEqual(['a'])
  expect(await keysIn(openNotes(path))).toEqual(['a'])
})

test('a change that changes nothing does not write', async () => {
  const path = await freshPath()
  const store = openNotes(path)
  await put(store, 'a')
  const before = await stat(path, { bigint: true })

  await drop(store, 'nobody')

  expect((await stat(path, { bigint: true })).mtimeNs).toBe(before.mtimeNs)
})

test('reads what others wrote before it writes', async () => {
  const path = await freshPath()
  const [one, other] = [openNotes(path), openNotes(path)]
  await put(one, 'a')
  await put(other, 'b')
  await put(one, 'a', 'changed')
  await drop(other, 'b')
  await put(one, 'c')

  expect(await keysIn(other)).toEqual(['a', 'c'])
  expect(await keysIn(one)).toEqual(['a', 'c'])
})

test('reads only the new lines of a file that grew', async () => {
  const path = await freshPath()
  const [one, other] = [openNotes(path), openNotes(path)]
  await put(one, 'first')
  for (let number = 0; number < 100; number += 1) await put(one, `note ${number}`)
  await keysIn(other)
  expect(other.counted.parsed).toBe(101)

  await put(one, 'last')

  expect(await keysIn(other)).toHaveLength(102)
  expect(other.counted.parsed).toBe(102)
})

test('reads all of a file that was edited in place, however it ends', async () => {
  const path = await freshPath()
  const store = openNotes(path)
  await put(store, 'a')
  await put(store, 'b')

  await writeFile(path, `${noteLine('a longer one')}\n${noteLine('b')}\n`)
  expect(await keysIn(store)).toEqual(['a longer one', 'b'])
  await appendFile(path, noteLine('c')) // without a newline
  expect(await keysIn(store)).toEqual(['a longer one', 'b', 'c'])
  await appendFile(path, `\n${noteLine('d')}\n`)
  expect(await keysIn(store)).toEqual(['a longer one', 'b', 'c', 'd'])
})

test('calls that come together are written together, each with its own answer', async () => {
  const path = await freshPath()
  const store = openNotes(path)

  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, (_, number) =>
      store.change((notes, edit) => {
        if (number === 7) throw new Error('not seven')
        edit.add({ key: String(number), text: '' })
        return notes.lines.size
      }),
    ),
  )

  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect(answers[49]).toEqual({ status: 'fulfilled', value: 48 })
  expect(await keysIn(openNotes(path))).toHaveLength(49)
})

test('tells who watches when others write, and not of its own', async () => {
  const path = await freshPath()
  const [one, other] = [openNotes(path), openNotes(path)]
  const received = vi.fn<() => void>()
  const controller = new AbortController()
  one.watch(received, controller.signal)
  await put(one, 'a')
  await new Promise((resolve) => setTimeout(resolve, 150)) // longer than a watcher takes
  expect(received).not.toHaveBeenCalled()

  await put(other, 'b')

  await vi.waitFor(() => expect(received).toHaveBeenCalled())
  controller.abort()
})

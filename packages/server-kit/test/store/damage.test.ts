import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import {
  appendFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { testOnPosix } from '../../../../test-support/on-posix.ts'
import { drop, freshPath, keysIn, noteLine, openNotes, put } from './support.ts'

describe('a line that was torn by a crash', () => {
  test('is not there for readers', async () => {
    const path = await freshPath()
    await writeFile(path, `${noteLine('a')}\n{"key":"to`)
    const store = openNotes(path)

    expect(await keysIn(store)).toEqual(['a'])
    expect(store.notices).toEqual([]) // it may still be being written
  })

  test('is moved aside by the next who writes, and nothing else is lost', async () => {
    const path = await freshPath()
    await writeFile(path, `${noteLine('a')}\n{"key":"to`)
    const store = openNotes(path)

    await put(store, 'b')

    expect(await readFile(path, 'utf8')).toBe(`${noteLine('a')}\n${noteLine('b')}\n`)
    expect(await readFile(`${path}.unreadable`, 'utf8')).toBe('{"key":"to\n')
    expect(store.notices.join()).toContain('line 2 cannot be read and was moved')
  })
})

test('lines that cannot be read are left out, reported, and moved aside with the next change', async () => {
  const path = await freshPath()
  const bad = Buffer.concat([Buffer.from('{"key":"'), Buffer.from([0xff]), Buffer.from('"}')])
  await writeFile(path, `${noteLine('a')}\nnot json\n${noteLine('b')}\n5\n`)
  await appendFile(path, Buffer.concat([bad, Buffer.from('\n')]))
  const store = openNotes(path)

  expect(await keysIn(store)).toEqual(['a', 'b'])
  expect(store.notices).toEqual([`${path}: line 2, 4, 5 cannot be read.`])
  expect(await readFile(path, 'utf8')).toContain('not json')
  await put(store, 'c')

  expect(await keysIn(openNotes(path))).toEqual(['a', 'b', 'c'])
  const aside = await readFile(`${path}.unreadable`)
  expect(aside.equals(Buffer.concat([Buffer.from('not json\n5\n'), bad, Buffer.from('\n')]))).toBe(
    true,
  )
})

test.each([
  ['a script', '#!/bin/sh\necho hello\n'],
  ['settings', '{\n  "name": "settings"\n}\n'],
  ['lines of JSON of another kind', '{"level":"info"}\n{"level":"warn"}\n'],
  ['one line without an end', 'ssh-ed25519 AAAA user@host'],
])('a file that is %s is neither read nor written', async (_, text) => {
  const path = await freshPath()
  await writeFile(path, text)
  const store = openNotes(path)

  await expect(keysIn(store)).rejects.toMatchObject({ code: 'not_ours' })
  await expect(put(store, 'a')).rejects.toMatchObject({ code: 'not_ours' })

  expect(await readFile(path, 'utf8')).toBe(text)
  expect(await readdir(dirname(path))).toEqual(['notes.jsonl'])
})

testOnPosix('a folder and a pipe are no store', async () => {
  const path = await freshPath()
  await mkdir(path)
  const pipe = join(path, 'pipe.jsonl')
  spawnSync('sh', ['-c', 'mkfifo "$0"', pipe])

  await expect(keysIn(openNotes(path))).rejects.toMatchObject({ code: 'not_ours' })
  await expect(put(openNotes(pipe), 'a')).rejects.toMatchObject({ code: 'not_ours' })
})

test('a link to the file stays a link', async () => {
  const path = await freshPath()
  const link = join(dirname(path), 'link.jsonl')
  await put(openNotes(path), 'a')
  await symlink(path, link)
  const store = openNotes(link)

  await put(store, 'a', 'changed')

  expect((await lstat(link)).isSymbolicLink()).toBe(true)
  expect(await readFile(path, 'utf8')).toContain('changed')
})

test('the lock of a process that died is taken over', async () => {
  const path = await freshPath()
  await writeFile(`${path}.lock`, '{"pid":1,"id":"dead"}')
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(`${path}.lock`, longAgo, longAgo)

  await put(openNotes(path), 'a')

  expect(await keysIn(openNotes(path))).toEqual(['a'])
  expect(await readdir(dirname(path))).toEqual(['notes.jsonl'])
})

test('who waits too long for a lock is told', async () => {
  const path = await freshPath()
  await writeFile(`${path}.lock`, '{"pid":1,"id":"busy"}')

  const waiting = put(openNotes(path, { lockTimeoutMs: 50 }), 'a')

  await expect(waiting).rejects.toMatchObject({ code: 'locked' })
})

test('who lost its lock tries again, and in the end writes nothing', async () => {
  const path = await freshPath()
  const store = openNotes(path, { lockTimeoutMs: 500 })
  await put(store, 'a')

  const late = store.change((_, edit) => {
    writeFileSync(`${path}.lock`, 'another process')
    edit.add({ key: 'late', text: '' })
  })

  await expect(late).rejects.toMatchObject({ code: 'locked' }) // which it never gives back
  expect(await keysIn(store)).toEqual(['a'])
  rmSync(`${path}.lock`)
  await put(store, 'b')
  expect(await keysIn(store)).toEqual(['a', 'b'])
})

test('what a program without the lock writes in between is not lost', async () => {
  const path = await freshPath()
  const store = openNotes(path)
  await put(store, 'a')
  let isFirst = true

  await store.change((notes, edit) => {
    // The original program, between our reading and our writing.
    if (isFirst) writeFileSync(path, `${noteLine('theirs')}\n${noteLine('a')}`)
    isFirst = false
    const line = notes.find('a')
    if (line) edit.replace(line, { key: 'a', text: 'ours' })
  })

  expect(await keysIn(store)).toEqual(['theirs', 'a'])
  expect(await readFile(path, 'utf8')).toBe(`${noteLine('theirs')}\n${noteLine('a', 'ours')}\n`)
})

test('keeps the version before, once an hour at most, and no more than it was told to', async () => {
  const path = await freshPath()
  const store = openNotes(path, { backups: 2 })
  await put(store, 'a', 'first')
  await put(store, 'a', 'second')
  await put(store, 'a', 'third')

  expect(await readFile(`${path}.backup-1`, 'utf8')).toBe(`${noteLine('a', 'first')}\n`)
  expect((await readdir(dirname(path))).toSorted()).toEqual(['notes.jsonl', 'notes.jsonl.backup-1'])
})

test('what a process left when it died is cleaned up, files of others are not', async () => {
  const path = await freshPath()
  const store = openNotes(path)
  await put(store, 'a')
  const left = `${path}.${crypto.randomUUID()}.tmp`
  await writeFile(left, 'half')
  await writeFile(`${path}.mine.tmp`, 'somebody else')

  await drop(store, 'a')

  const files = await readdir(dirname(path))
  expect(files).not.toContain(left.slice(left.lastIndexOf('/') + 1))
  expect(files).toContain('notes.jsonl.mine.tmp')
})

test('a file that is too large is refused', async () => {
  const path = await freshPath()
  await writeFile(path, `${noteLine('a')}\n`)

  const reading = keysIn(openNotes(path, { maxBytes: 10 }))

  await expect(reading).rejects.toMatchObject({ code: 'too_large' })
})

test('no change makes a file larger than can be read, and what makes it smaller stays possible', async () => {
  const path = await freshPath()
  const limit = { maxBytes: 100 }
  const store = openNotes(path, limit)
  await put(store, 'a', 'x'.repeat(20))
  const before = await readFile(path, 'utf8')

  const adding = put(store, 'b', 'x'.repeat(80))
  await expect(adding).rejects.toMatchObject({ code: 'too_large' })
  const replacing = put(store, 'a', 'x'.repeat(100))
  await expect(replacing).rejects.toThrow('nothing was written. Delete what')

  expect(await readFile(path, 'utf8')).toBe(before)
  expect(await keysIn(openNotes(path, limit))).toEqual(['a'])
  await drop(openNotes(path, limit), 'a')
  await put(store, 'b', 'x'.repeat(60))
  expect(await keysIn(store)).toEqual(['b'])
})

test('what the system refuses is told with the file and a cure', async () => {
  const path = await freshPath()
  await writeFile(path, `${noteLine('a')}\n`)
  const store = openNotes(join(path, 'notes.jsonl')) // a file is where the folder should be
  const told = {
    code: 'system',
    message: expect.stringContaining('or name another file') as string,
  }

  await expect(keysIn(store)).rejects.toMatchObject(told)
  await expect(put(store, 'a')).rejects.toMatchObject(told)
})

import { appendFileSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { LineEdit } from '@parley/server-kit/store'
import { describe, expect, test } from 'vitest'

import { createChangeSet } from '../../src/store/change-set.ts'
import { saveChanges } from '../../src/store/save-changes.ts'
import { readState } from '../../src/store/store-state.ts'
import { freshPath, keysIn, noteLine, Notes, openNotes, put, type Note } from './support.ts'

/** A process that read the file, changes it, and is asleep for a while whenever it is asked for its lock. */
async function save(
  path: string,
  work: (notes: Notes, edit: LineEdit<Note>) => void,
  isLocked: () => Promise<boolean>,
): Promise<boolean> {
  const createView = () => new Notes()
  const parse = (value: unknown) => ({ kind: 'record', value: value as Note }) as const // our own lines
  const state = await readState({ path, createView, parse, maxBytes: 1_000 }, undefined)
  const changes = createChangeSet(state, (note: Note) => note)
  changes.run((edit) => work(state.view, edit))
  const options = { path, backups: 0, maxBytes: 1_000, onNotice: () => {} }
  return saveChanges(state, changes, { isLocked }, options)
}

function replaceFirst(notes: Notes, edit: LineEdit<Note>): void {
  const line = notes.find('a')
  if (line) edit.replace(line, { key: 'a', text: 'ours' })
}

function addOne(_: Notes, edit: LineEdit<Note>): void {
  edit.add({ key: 'ours', text: '' })
}

function temporaryFiles(path: string): readonly string[] {
  return readdirSync(dirname(path)).filter((name) => name.endsWith('.tmp'))
}

describe('a process that slept while it wrote', () => {
  test('does not replace what who took its lock has written', async () => {
    const path = await freshPath()
    await writeFile(path, `${noteLine('a')}\n`)

    const isSaved = await save(path, replaceFirst, async () => {
      if (temporaryFiles(path).length === 0) return true
      appendFileSync(path, `${noteLine('acknowledged')}\n`) // with the lock that is not ours any more
      return false
    })

    expect(isSaved).toBe(false)
    expect(await readFile(path, 'utf8')).toBe(`${noteLine('a')}\n${noteLine('acknowledged')}\n`)
    expect(await readdir(dirname(path))).toEqual(['notes.jsonl'])
  })

  test('has nothing to put in its place once another holds the lock', async () => {
    const path = await freshPath()
    await writeFile(path, `${noteLine('a')}\n`)

    const isSaved = await save(path, replaceFirst, async () => {
      for (const name of temporaryFiles(path)) unlinkSync(join(dirname(path), name))
      return true // asleep from here on until the other has taken it
    })

    expect(isSaved).toBe(false)
    expect(await readFile(path, 'utf8')).toBe(`${noteLine('a')}\n`)
  })

  test.each([
    ['before it adds', 2],
    ['after it has added', 3],
  ])('tries again if the file was replaced %s', async (_, when) => {
    const path = await freshPath()
    await writeFile(path, `${noteLine('a')}\n`)
    let asked = 0

    const isSaved = await save(path, addOne, async () => {
      asked += 1
      if (asked !== when) return true
      writeFileSync(`${path}.theirs`, `${noteLine('theirs')}\n`)
      renameSync(`${path}.theirs`, path)
      return true
    })

    expect(isSaved).toBe(false)
    expect(await keysIn(openNotes(path))).toEqual(['theirs'])
  })
})

test('who takes the lock removes what others were about to put in place, also to add only', async () => {
  const path = await freshPath()
  const store = openNotes(path)
  await put(store, 'a')
  await writeFile(`${path}.${crypto.randomUUID()}.tmp`, `${noteLine('older')}\n`)

  await put(store, 'b')

  expect(temporaryFiles(path)).toEqual([])
})

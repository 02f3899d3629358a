import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  createLineStore,
  type Line,
  type LineStore,
  type LineStoreOptions,
  type LineView,
} from '@parley/server-kit/store'
import { onTestFinished } from 'vitest'

/** A note under a key, one to a line: `{ "key", "text" }`. */
export interface Note {
  readonly key: string
  readonly text: string
}

/** The notes in the order of the file. */
export class Notes implements LineView<Note> {
  readonly lines = new Map<Line<Note>, Note>()

  add(line: Line<Note>, value: Note): void {
    this.lines.set(line, value)
  }
  remove(line: Line<Note>): void {
    this.lines.delete(line)
  }
  replace(line: Line<Note>, _: Note, value: Note): void {
    this.lines.set(line, value)
  }
  find(key: string): Line<Note> | undefined {
    for (const [line, note] of this.lines) if (note.key === key) return line
    return undefined
  }
}

export type NoteStore = LineStore<Note, Notes>

/** A store of notes that counts the lines it has read. */
export function openNotes(path: string, options: Partial<LineStoreOptions<Note, Notes>> = {}) {
  const counted = { parsed: 0 }
  const notices: string[] = []
  const store: NoteStore = createLineStore<Note, Notes>({
    path,
    parse(value) {
      counted.parsed += 1
      if (typeof value !== 'object' || value === null) return { kind: 'unreadable' }
      if ('key' in value && 'text' in value) {
        return { kind: 'record', value: { key: String(value.key), text: String(value.text) } }
      }
      return { kind: 'foreign' }
    },
    encode: ({ key, text }) => ({ key, text }),
    createView: () => new Notes(),
    onNotice: (notice) => notices.push(notice),
    ...options,
  })
  return Object.assign(store, { counted, notices })
}

export function put(store: NoteStore, key: string, text = ''): Promise<void> {
  return store.change((notes, edit) => {
    const line = notes.find(key)
    if (line) edit.replace(line, { key, text })
    else edit.add({ key, text })
  })
}

export function drop(store: NoteStore, key: string): Promise<void> {
  return store.change((notes, edit) => {
    const line = notes.find(key)
    if (line) edit.remove(line)
  })
}

export function keysIn(store: NoteStore): Promise<readonly string[]> {
  return store.read((notes) => [...notes.lines.values()].map(({ key }) => key))
}

/** A name in a folder of its own. */
export async function freshPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-store-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'notes.jsonl')
}

export function noteLine(key: string, text = ''): string {
  return JSON.stringify({ key, text })
}

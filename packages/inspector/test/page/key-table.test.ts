import { readFileSync } from 'node:fs'

import { findKey, keyTextOf } from '@parley/page/shell/key-table'
import { describe, expect, test } from 'vitest'

import { keyGroups, keyTable } from '../../page/key-table.ts'

function pressed(text: string) {
  const parts = text.split('+')
  return {
    key: parts.at(-1) ?? '',
    ctrlKey: parts.includes('Mod'),
    metaKey: false,
    shiftKey: parts.includes('Shift') || /^[A-Z?]$/.test(text),
  }
}

describe('the table of keys', () => {
  test('finds each key in its place, and nowhere else', () => {
    for (const [name, { keys, place }] of Object.entries(keyTable)) {
      for (const key of keys) {
        expect(keyTextOf(pressed(key))).toBe(key)
        expect(findKey(keyTable, pressed(key), place)).toBe(name)
      }
    }
    expect(findKey(keyTable, pressed('z'), 'page')).toBeUndefined()
    expect(findKey(keyTable, pressed('Mod+z'), 'trace')).toBeUndefined()
  })

  test('gives no key two meanings where both could be meant', () => {
    const locations = { page: ['page', 'list'], list: ['list', 'trace'], trace: ['trace', 'page'] }
    for (const [name, { keys, place }] of Object.entries(keyTable)) {
      const others = Object.entries(keyTable).filter(
        ([other, entry]) => other !== name && locations[place].includes(entry.place),
      )
      for (const key of keys) {
        expect(
          others.filter(([, entry]) => (entry.keys as readonly string[]).includes(key)),
        ).toEqual([])
      }
    }
  })

  test('is shown whole', () => {
    const rows = keyGroups.flatMap(({ rows: shown }) => shown)

    expect(rows).toHaveLength(Object.keys(keyTable).length + 11)
    expect(rows.map(({ does }) => does)).toEqual(
      expect.arrayContaining(Object.values(keyTable).map(({ does }) => does)),
    )
    expect(rows.find(({ does }) => does === 'Run')?.keys).toEqual(['Ctrl Enter'])
    expect(rows.find(({ does }) => does === 'Tools')?.keys).toEqual(['g t'])
  })

  test('has every key that the trace takes', () => {
    const known = new Set(Object.values(keyTable).flatMap(({ keys }) => keys as readonly string[]))
    const sources = ['trace-viewer.tsx', 'rows/trace-list.tsx'].map((name) =>
      readFileSync(new URL(`../../../page/src/trace/${name}`, import.meta.url), 'utf8'),
    )
    const taken = sources.flatMap((source) =>
      [...source.matchAll(/\bkey === '([^']+)'/g)].map(([, key = '']) => key),
    )

    expect(taken.filter((key) => !known.has(key))).toEqual([])
  })
})

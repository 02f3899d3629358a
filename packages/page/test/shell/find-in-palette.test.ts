import { expect, test } from 'vitest'

import { findInPalette } from '../../src/shell/find-in-palette.ts'

const groups = [
  {
    title: 'Tools of issues',
    items: ['issues_create_invoice_1', 'issues_delete_invoice_49', 'issues_delete_note_2'].map(
      (label) => ({ id: label, label }),
    ),
  },
  {
    title: 'Commands',
    items: [
      { id: 'settings', label: 'Settings', description: 'colours, keys' },
      { id: 'new', label: 'New chat' },
    ],
  },
]
const labels = (query: string, recent: readonly string[] = []) =>
  findInPalette(groups, query, recent).flatMap(({ found }) => found.map(({ item }) => item.label))

test('every word must occur, in any order', () => {
  expect(labels('delete invoice')).toEqual(['issues_delete_invoice_49'])
  expect(labels('invoice delete')).toEqual(['issues_delete_invoice_49'])
  expect(labels('delete nothing')).toEqual([])
})

test('descriptions and groups are found too, below names', () => {
  expect(labels('colours')).toEqual(['Settings'])
  expect(labels('note issues')).toEqual(['issues_delete_note_2'])
})

test('letters in order are enough where no words match', () => {
  expect(labels('nwct')).toEqual(['New chat'])
})

test('what was used last comes first, alone and among equals', () => {
  expect(labels('', ['new'])[0]).toBe('New chat')
  expect(labels('issues delete', ['issues_delete_note_2'])[0]).toBe('issues_delete_note_2')
})

test('the matched parts of a name are marked', () => {
  const [group] = findInPalette(groups, 'delete 49', [])
  expect(group?.found[0]?.marks).toEqual([
    [7, 13],
    [22, 24],
  ])
})

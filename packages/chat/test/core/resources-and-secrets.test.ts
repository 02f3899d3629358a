import { expect, test } from 'vitest'

import {
  isImportant,
  rankResources,
  shareOfWindow,
  type RankedResource,
} from '../../src/core/rank-resources.ts'
import { redactSecrets } from '../../src/core/redact.ts'

function resource(name: string, more: Partial<RankedResource> = {}): RankedResource {
  return { server: 'files', uri: `file:///${name}`, name, ...more }
}

test('resources come by audience, priority and age, and those without the words do not [RUI-07] [RES-12]', () => {
  const ranked = rankResources(
    [
      resource('for people', { annotations: { audience: ['user'], priority: 1 } }),
      resource('old', { annotations: { lastModified: '2020-01-01T00:00:00Z' } }),
      resource('new', { annotations: { lastModified: '2026-01-01T00:00:00Z' } }),
      resource('first', { annotations: { audience: ['assistant'], priority: 1 } }),
      resource('last', { annotations: { priority: 0 } }),
    ],
    'file',
  )

  expect(ranked.map(({ name }) => name)).toEqual(['first', 'new', 'old', 'last', 'for people'])
  expect(rankResources(ranked, 'first files')).toHaveLength(1)
  expect(rankResources(ranked, 'nothing')).toEqual([])
})

test('the size of a resource tells which part of the window it takes [RUI-07]', () => {
  expect(shareOfWindow(resource('large', { size: 256_000 }), 128_000)).toBe(0.5)
  expect(shareOfWindow(resource('unknown'), 128_000)).toBeUndefined()
})

test('only what a server calls most important for the model is offered by itself [RUI-09]', () => {
  expect(
    isImportant(resource('a', { annotations: { audience: ['assistant'], priority: 1 } })),
  ).toBe(true)
  const nearly = { audience: ['assistant'], priority: 0.8 }
  expect(isImportant(resource('d', { annotations: nearly }))).toBe(false)
  expect(isImportant(resource('b', { annotations: { priority: 1 } }))).toBe(false)
  expect(isImportant(resource('c', { annotations: { audience: ['assistant'] } }))).toBe(false)
})

test.each([
  ['a key sk-abcdefghijklmnopqrstuvwx is here', 'a key [redacted] is here'],
  ['AKIAABCDEFGHIJKLMNOP', '[redacted]'],
  ['Authorization: Bearer abcdefghijklmnop', 'Authorization: Bearer [redacted]'],
  ['password: hunter2', 'password: [redacted]'],
  ['password: sk-abcdefghijklmnopqrstuvwx', 'password: [redacted]'],
  ['"api_key": "0123456789"', '"api_key": "[redacted]"'],
  ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', '[redacted]'],
])('what looks like a secret is replaced: %s [SUI-07]', (text, clean) => {
  expect(redactSecrets(text)).toEqual({ text: clean, count: 1 })
})

test('plain words stay as they are [SUI-07]', () => {
  const text = 'My password is long, and the token of my affection is a rose.'
  expect(redactSecrets(text)).toEqual({ text, count: 0 })
})

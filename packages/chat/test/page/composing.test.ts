import { expect, test } from 'vitest'

import { inputOf, type Draft } from '../../page/composer/draft.ts'
import { suggestionsFor, triggerAt } from '../../page/composer/suggestions.ts'
import type { ServerView } from '../../src/protocol/index.ts'

const empty: Draft = { text: '', images: [], resources: [], prompts: [], mode: 'auto' }

function server(name: string, more: Partial<ServerView> = {}): ServerView {
  return {
    name,
    state: 'ready',
    tools: [],
    prompts: [],
    resources: [],
    templates: [],
    canComplete: false,
    canSignIn: false,
    ...more,
  }
}

test('a slash at the beginning offers prompts under the names of their servers [PUI-02] [PUI-08]', () => {
  const servers = [
    server('git', {
      prompts: [{ name: 'review', title: 'Review', description: 'Reads a change.' }],
    }),
    server('docs', { prompts: [{ name: 'review' }, { name: 'outline' }] }),
  ]

  const trigger = triggerAt('/rev', 4)

  expect(trigger).toEqual({ sign: '/', query: 'rev', from: 0 })
  const found = trigger && suggestionsFor(trigger, servers)
  expect(found?.map(({ label }) => label)).toEqual(['/git.review', '/docs.review'])
  expect(found?.[0]?.detail).toBe('Review: Reads a change.')
  expect(triggerAt('1/rev', 5)).toBeUndefined()
})

test('an at sign offers resources, templates and tools [RUI-04] [TUI-18]', () => {
  const tools = [{ name: 'echo', mention: 'files__echo', isEnabled: true }]
  const servers = [
    server('files', {
      tools: [...tools, { name: 'off', mention: 'files__off', isEnabled: false }],
      resources: [
        { uri: 'file:///low', name: 'low', annotations: { priority: 0 } },
        { uri: 'file:///high', name: 'high', annotations: { priority: 1 } },
      ],
      templates: [{ uriTemplate: 'file:///{path}', name: 'any file' }],
    }),
  ]

  const trigger = triggerAt('Look at @file', 13)

  expect(trigger).toEqual({ sign: '@', query: 'file', from: 8 })
  const found = trigger && suggestionsFor(trigger, servers)
  expect(found?.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
    'resource high',
    'resource low',
    'template any file',
    'tool @files__echo',
  ])
  expect(triggerAt('me@file', 7)).toBeUndefined()
})

test('several prompts go one after the other before what is said [PUI-10]', () => {
  const prompt = (text: string) => ({
    name: text,
    messages: [{ role: 'user', content: [{ type: 'text', text }] } as const],
  })

  const chained = inputOf({ ...empty, text: ' Now. ', prompts: [prompt('One'), prompt('Two')] })
  const alone = inputOf({ ...empty, prompts: [prompt('One'), prompt('Two')] })

  expect(chained).toMatchObject({
    content: [{ type: 'text', text: 'Now.' }],
    messages: [{ content: [{ text: 'One' }] }, { content: [{ text: 'Two' }] }],
  })
  expect(alone).toMatchObject({
    content: [{ type: 'text', text: 'Two' }],
    messages: [{ content: [{ text: 'One' }] }],
  })
})

test('plain words stay plain, pictures and resources go along', () => {
  expect(inputOf({ ...empty, text: 'Hello ' })).toBe('Hello')
  const image = { name: 'p', mimeType: 'image/png', data: 'aGk=' }
  const resource = { server: 's', uri: 'note://1', name: 'note' }
  expect(inputOf({ ...empty, images: [image], resources: [resource] })).toEqual({
    content: [{ type: 'image', mimeType: 'image/png', data: 'aGk=' }],
    attachments: [{ server: 's', uri: 'note://1' }],
  })
})

import type { Tool } from '@parley/mcp'
import { createToolIndex, type SearchableTool } from '@parley/tools'
import { describe, expect, test } from 'vitest'

import { manyTools } from './many-tools.ts'

const noArguments = { type: 'object' }
const tools: readonly Tool[] = [
  {
    name: 'github__create_issue',
    description: 'Open a new issue in a repository',
    inputSchema: {
      type: 'object',
      properties: {
        repo: { type: 'string', description: 'Repository, as owner/name' },
        labels: { type: 'array', items: { type: 'string', enum: ['bug', 'enhancement'] } },
      },
    },
  },
  {
    name: 'github__listPullRequests',
    description: 'Pull requests of a repository',
    inputSchema: noArguments,
  },
  {
    name: 'fs__delete_file',
    title: 'Remove a file',
    description: 'Deletes one file',
    inputSchema: noArguments,
  },
  { name: 'fs__read_file', description: 'Read the contents of a file', inputSchema: noArguments },
  {
    name: 'calendar__add',
    description: 'Puts an appointment into the calendar',
    inputSchema: {
      type: 'object',
      properties: { attendees: { type: 'array', description: 'Who is invited' } },
    },
  },
  {
    name: 'mail__send',
    description: 'Sends a message. Issue an invoice, report an issue.',
    inputSchema: noArguments,
  },
  { name: 'weather__vorhersage', description: '天気予報を取得する', inputSchema: noArguments },
]

function namesFor(query: string, options = {}) {
  const search = createToolIndex({ tools: () => tools })
  return search.search(query, options).found.map(({ tool }) => tool.name)
}

describe('search', () => {
  test.each([
    ['create issue', 'github__create_issue'],
    ['How can I open an issue in the repository?', 'github__create_issue'],
    ['pull request', 'github__listPullRequests'],
    ['pullrequests', 'github__listPullRequests'],
    ['remove file', 'fs__delete_file'],
    ['reed file', 'fs__read_file'],
    ['attendee', 'calendar__add'],
    ['enhancement', 'github__create_issue'],
    ['create appointment', 'calendar__add'],
    ['send mail', 'mail__send'],
    ['fs__read_file', 'fs__read_file'],
    ['天気', 'weather__vorhersage'],
    ['cale', 'calendar__add'],
  ])('%j finds %s first', (query, name) => {
    expect(namesFor(query)[0]).toBe(name)
  })

  test('nothing for words that no tool has', () => {
    expect(namesFor('xylophone')).toEqual([])
  })

  test('an empty query lists all, page by page', () => {
    expect(namesFor('', { limit: 2 })).toEqual(['github__create_issue', 'github__listPullRequests'])
    expect(namesFor('*', { limit: 2, offset: 6 })).toEqual(['weather__vorhersage'])
  })

  test('finds only what the caller may see', () => {
    const where = ({ name }: SearchableTool) => name.startsWith('fs__')

    expect(namesFor('issue', { where })).toEqual([])
    expect(namesFor('file', { where })).toHaveLength(2)
    expect(namesFor('', { where })).toHaveLength(2)
  })

  test('answers in the same order every time', () => {
    const many = manyTools(400)
    const one = createToolIndex({ tools: () => many }).search('update invoice').found
    const other = createToolIndex({ tools: () => many.toReversed() }).search('update invoice').found

    expect(one.map(({ tool }) => tool.name)).toEqual(other.map(({ tool }) => tool.name))
    expect(one[0]?.tool.name).toBe('server0__update_invoice')
  })

  test('a page is the same as that part of all answers, whatever order the tools come in', () => {
    const many = manyTools(2_000).toSorted((one, other) => hashOf(one.name) - hashOf(other.name))
    const search = createToolIndex({ tools: () => many })

    for (const query of ['answers with what was done', 'serch custmer', 'server3 delete']) {
      const all = search.search(query, { limit: 5_000 })
      const page = search.search(query, { limit: 7, offset: 5 })

      expect(all.found).toHaveLength(all.total)
      expect(page).toEqual({ ...all, found: all.found.slice(5, 12) })
      const scores = all.found.map(({ score }) => score)
      expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    }
  })

  test('survives hostile queries and definitions', () => {
    const hostile = [
      {
        name: '__proto__',
        description: 'A'.repeat(100_000),
        inputSchema: { properties: { constructor: null } },
      },
      { name: 'ring', inputSchema: ring() },
    ]
    const search = createToolIndex({ tools: () => hostile })

    for (const query of [
      'constructor',
      '__proto__',
      'A'.repeat(100_000),
      'a '.repeat(50_000),
      '\ud800',
      '(((',
    ]) {
      expect(() => search.search(query)).not.toThrow()
    }
    expect(search.search('proto').found[0]?.tool.name).toBe('__proto__')
  })
})

describe('changes of the tools', () => {
  test('new, changed and removed tools count at once', () => {
    let current: readonly SearchableTool[] = tools
    const search = createToolIndex({ tools: () => current })
    const first = (query: string) => search.search(query).found[0]?.tool.name
    expect(first('zebra')).toBeUndefined()

    current = [...tools, { name: 'zoo__feed', description: 'Feeds a zebra' }]
    expect(first('zebra')).toBe('zoo__feed')
    current = [...tools, { name: 'zoo__feed', description: 'Feeds a walrus' }]
    expect(first('zebra')).toBeUndefined()
    expect(first('walrus')).toBe('zoo__feed')
    current = tools
    expect(first('walrus')).toBeUndefined()
    current = []
    expect(search.size).toBe(0)
    expect(first('issue')).toBeUndefined()
    current = tools
    expect(first('create issue')).toBe('github__create_issue')
  })

  test('a search that has seen many changes answers like a new one', () => {
    let current: readonly SearchableTool[] = []
    const search = createToolIndex({ tools: () => current })
    const many = manyTools(300)
    for (let at = 0; at < 300; at += 7) {
      current = many.filter((_, index) => (index * 31 + at) % 5 !== 0)
      search.search('x')
    }

    for (const query of ['delete customer', 'webhook', 'expor', 'share a file']) {
      const fresh = createToolIndex({ tools: () => current }).search(query)
      expect(search.search(query).total).toBe(fresh.total)
      expect(search.search(query).found[0]?.tool).toBe(fresh.found[0]?.tool)
    }
  })

  test('a tool described by a new object is found with that object', () => {
    let current: readonly SearchableTool[] = tools
    const search = createToolIndex({ tools: () => current })
    search.search('issue')
    current = tools.map((tool) => ({ ...tool, annotations: { readOnlyHint: true } }))

    expect(search.search('create issue').found[0]?.tool).toBe(current[0])
  })
})

describe('bounds', () => {
  test('tools beyond the limit are counted and not found', () => {
    const search = createToolIndex({ tools: () => manyTools(50), maxTools: 20 })

    expect(search.size).toBe(20)
    expect(search.search('')).toMatchObject({ total: 20, leftOut: 30 })
  })

  test('of two tools of one name the first counts', () => {
    const search = createToolIndex({
      tools: () => [
        { name: 'a', description: 'first' },
        { name: 'a', description: 'second' },
      ],
    })

    expect(search.describe('a')).toMatchObject({ description: 'first' })
  })
})

/** A number that has nothing to do with the order of names. */
function hashOf(text: string): number {
  return Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) % 65_521, 7)
}

function ring(): { [name: string]: unknown } {
  const schema: { [name: string]: unknown } = { type: 'object' }
  schema['properties'] = { again: schema }
  return schema
}

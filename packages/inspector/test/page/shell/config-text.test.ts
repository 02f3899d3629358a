import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  joinCommandLine,
  readPairs,
  splitCommandLine,
  writePairs,
} from '../../../page/shell/command-line.ts'
import { readConfigText } from '../../../page/shell/config-text.ts'

const notes = { command: 'npx', args: ['-y', 'notes'] }

describe('a configuration that was pasted', () => {
  test.each<[string, unknown]>([
    ['mcpServers', { mcpServers: { notes } }],
    ['servers, with other things beside', { servers: { notes }, inputs: [] }],
    ['only the servers', { notes }],
  ])('%s', (_, config) => {
    expect(readConfigText(JSON.stringify(config))).toEqual([{ name: 'notes', entry: notes }])
  })

  test('without the braces around it, with a comma after it', () => {
    expect(readConfigText(`"notes": ${JSON.stringify(notes)},`)).toEqual([
      { name: 'notes', entry: notes },
    ])
  })

  test('keeps what an entry needs, by any of its names, and nothing else', () => {
    const servers = readConfigText(
      JSON.stringify({
        mcpServers: {
          web: { serverUrl: 'https://a.example/mcp', headers: { 'X-Key': 'k' }, disabled: false },
          old: { url: 'https://b.example/sse', type: 'sse', autoApprove: [] },
          own: { command: 'node', args: ['a.js', 7], env: { A: 'b', N: 1 }, cwd: '/x', timeout: 5 },
        },
      }),
    )

    expect(servers).toEqual([
      { name: 'web', entry: { url: 'https://a.example/mcp', headers: { 'X-Key': 'k' } } },
      { name: 'old', entry: { url: 'https://b.example/sse', type: 'sse' } },
      {
        name: 'own',
        entry: { command: 'node', args: ['a.js', '7'], env: { A: 'b', N: '1' }, cwd: '/x' },
      },
    ])
  })

  test('says why an entry cannot be added', () => {
    const servers = readConfigText(
      JSON.stringify({
        mcpServers: { a: {}, b: { command: 'x', env: { K: '${input:key}' } }, c: 'nothing' },
      }),
    )

    expect(servers).toMatchObject([
      { name: 'a', why: expect.stringContaining('neither') },
      { name: 'b', why: expect.stringContaining('${input:key}') },
      { name: 'c', why: expect.stringContaining('neither') },
    ])
  })

  test.each(['', '{', '[]', '7', '{"a":1}', 'hello'])('%j is none', (text) => {
    expect(readConfigText(text)).toBeUndefined()
  })

  test('whatever is pasted, nothing is thrown', () => {
    fc.assert(fc.property(fc.json(), (text) => void readConfigText(text)))
  })
})

describe('what is shown to be edited', () => {
  test('is the same words when it is read again', () => {
    const word = fc.string({ minLength: 1 }).filter((text) => !text.includes('\u0000'))
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (words) => {
        expect(splitCommandLine(joinCommandLine(words))).toEqual(words)
      }),
    )
  })

  test('is the same pairs', () => {
    const pairs = { A: 'one = two', 'X-Key': 'a: b' }

    expect(readPairs(writePairs({ A: pairs.A }, '='), '=')).toEqual({ A: pairs.A })
    expect(readPairs(writePairs({ 'X-Key': pairs['X-Key'] }, ': '), ':')).toEqual({
      'X-Key': pairs['X-Key'],
    })
    expect(writePairs(undefined, '=')).toBe('')
  })
})

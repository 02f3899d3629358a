import type { JsonObject } from '@parley/mcp'
import { parseUrl } from '@parley/mcp/address'
import { describe, expect, test } from 'vitest'

import { hosts } from '../../src/service/servers/host-claims.ts'
import { describeProfiles } from '../../src/service/servers/profiles.ts'
import { foreignCommand, serveEverything } from './everything.ts'
import { openPage } from './page-client.ts'

test('a server with faults is warned about, each with what it is about', async () => {
  await using page = await openPage({ servers: [{ name: 'a', entry: foreignCommand }] })
  await page.ask('servers/connect', { name: 'a' })

  const warnings = await page.ask('servers/warnings', { name: 'a' })
  const found = warnings.map(({ about, message }) => `${about}: ${message}`)

  expect(found).toContain('twice: The tool "twice" is listed 2 times.')
  expect(found).toContain('undescribed: The tool has no description.')
  expect(
    found.some((one) => one.startsWith('root-choice: Its input schema has oneOf at the root')),
  ).toBe(true)
  expect(found).toContain('delete_all: It is marked as read-only, but its name suggests otherwise.')
  expect(found.some((one) => one.startsWith('huge: Its definition takes more than 2,000'))).toBe(
    true,
  )
  expect(
    found.some((one) => one.startsWith('<img src=x onerror=alert(1)>: Its name has letters')),
  ).toBe(true)
})

test('a good server has no errors, and hosts are said to lose what it has asked for', async () => {
  await using everything = await serveEverything()
  await using page = await openPage({ servers: [{ name: 'all', entry: everything.entry }] })
  await page.ask('servers/connect', { name: 'all' })
  await page.ask('rules/save', {
    rules: [{ id: 'no', kind: 'sampling', answer: { action: 'decline' }, enabled: true }],
  })
  const before = await page.ask('servers/profiles', { name: 'all' })
  await page.ask('runs/start', {
    server: 'all',
    run: 's',
    method: 'tools/call',
    params: { name: 'trigger-sampling-request', arguments: { prompt: 'Why?' } },
  })
  const after = await page.ask('servers/profiles', { name: 'all' })

  const lossOf = (profiles: typeof before, host: string) =>
    profiles
      .find((one) => one.host === host)
      ?.loses.map(({ what }) => what)
      .join('\n')
  expect(lossOf(before, 'Cursor')).toBe('')
  expect(lossOf(after, 'Cursor')).toContain('questions to the model')
  expect(lossOf(after, 'ChatGPT')).toContain('prompts')
})

test('nothing is said about a host without a source and its date', () => {
  for (const { host, claims } of hosts) {
    expect(claims.length, host).toBeGreaterThan(0)
    for (const { source } of claims) {
      expect(parseUrl(source.url)?.protocol).toBe('https:')
      expect(source.date).toMatch(/^202[56]-\d\d-\d\d$/)
    }
  }
})

describe('what hosts lose of tools', () => {
  const tool = (name: string, inputSchema: JsonObject = { type: 'object' }) => ({
    name,
    inputSchema,
  })
  const lossOf = (host: string, tools: readonly JsonObject[], server = 'all') => {
    const offered = { tools, resources: [], templates: [], prompts: [] }
    const profile = describeProfiles(offered, new Set(), server).find((one) => one.host === host)
    return profile?.loses.map(({ what }) => what).join('\n')
  }
  const many = Array.from({ length: 129 }, (_, index) => tool(`tool-${index}`))

  test.each<[string, string, readonly JsonObject[], RegExp]>([
    ['too many', 'VS Code', many, /^1 tool beyond 128/],
    ['too many', 'Windsurf', many, /^29 tools beyond 100/],
    ['long names', 'Cursor', [tool('x'.repeat(57))], /^the names of 1 tool/],
    ['long names', 'Gemini CLI', [tool('x'.repeat(57))], /^the names of 1 tool/],
    ['names', 'Chat-completions APIs', [tool('a.b'), tool('ok')], /^the names of 1 tool \(a\.b\)/],
    ['a union', 'Claude Code', [tool('u', { type: 'object', anyOf: [] })], /^1 tool \(u\)/],
    [
      'a keyword deep inside',
      'Gemini CLI',
      [tool('d', { properties: { a: { items: { additionalProperties: false } } } })],
      /^1 tool \(d\), taken without: additionalProperties/,
    ],
  ])('%s, in %s', (_, host, tools, loss) => {
    expect(lossOf(host, tools)).toMatch(loss)
    expect(lossOf(host, [tool('ok')])).toBe('')
  })

  test('a property is no keyword, whatever its name', () => {
    const schema = { properties: { additionalProperties: { type: 'string' }, anyOf: {} } }

    expect(lossOf('Gemini CLI', [tool('p', schema)])).toBe('')
    expect(lossOf('Claude Code', [tool('p', schema)])).toBe('')
  })
})

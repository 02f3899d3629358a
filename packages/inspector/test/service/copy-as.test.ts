import type { TraceRecord } from '@parley/foundation/trace'
import type { JsonObject } from '@parley/mcp'
import { expect, test } from 'vitest'

import { maskEntry, withStored } from '../../src/service/servers/entry-view.ts'
import { copyAs } from '../../src/service/trace/copy-as.ts'

const url = 'https://example.com/mcp'

/** What a page copies of a request whose names a server chose. */
function copied(as: 'cli' | 'curl', method: string, params: JsonObject, entry = {}): string {
  const message = { jsonrpc: '2.0', id: 1, method, params } as const
  const record: TraceRecord = {
    seq: 1,
    time: 0,
    at: 0,
    connection: 'a',
    kind: 'message',
    message,
    revision: '2026-07-28',
  }
  return copyAs(as, record, undefined, { url, ...entry })
}

test.each([
  ['tools/call', { name: '--trace=/tmp/x', arguments: {} }, `call -- ${url} --trace=/tmp/x`],
  [
    'tools/call',
    { name: 'a', arguments: { '--trace': 'x', 'b@/etc/passwd': 1 } },
    `call ${url} a '{"--trace":"x","b@/etc/passwd":1}'`,
  ],
  ['prompts/get', { name: '-o', arguments: { n: '1' } }, `prompt -- ${url} -o 'n:="1"'`],
  ['resources/read', { uri: '--raw' }, `read -- ${url} --raw`],
  ['tools/call', { name: 'a\u0003rm', arguments: {} }, `call ${url} $'a\\003rm'`],
  ['tools/list', {}, `list ${url} tools`],
])('%s %j is copied as a command that takes names for names', (method, params, line) => {
  expect(copied('cli', method, params)).toBe(`npx @parley/cli ${line}`)
})

test('a name that no command line can say is not copied as one', () => {
  expect(() => copied('cli', 'tools/call', { name: '--' })).toThrow('no command line')
})

test('curl reads no file and makes no ranges for what it is given', () => {
  const headers = { '@/etc/passwd': 'x', 'x-a': '@/etc/passwd', 'x-b': 'a\r\nx-c: d' }
  const text = copied(
    'curl',
    'tools/call',
    { name: '@/etc/passwd' },
    {
      url: `${url}?{a,b}[1-9]`,
      headers,
    },
  )

  expect(text).toContain(`curl -sS --globoff '${url}?{a,b}[1-9]'`)
  expect(text).toContain("-H 'x-a: @/etc/passwd'")
  expect(text).toContain('--data-raw')
  expect(text).not.toContain("-H '@")
  expect(text).not.toContain('x-c')
})

test('arguments whose flag says that they are secret are masked, and kept when edited', () => {
  const entry = { command: 'server', args: ['--token', 'abc', '--api-key=def', '--port', '1'] }

  const shown = maskEntry(entry)
  const edited = { ...shown, args: ['--verbose', ...('args' in shown ? (shown.args ?? []) : [])] }

  expect(shown).toMatchObject({ args: ['--token', '••••••', '--api-key=••••••', '--port', '1'] })
  expect(withStored(edited, entry)).toMatchObject({ args: ['--verbose', ...entry.args] })
  expect(maskEntry(entry, { args: 'shown' })).toEqual(entry)
})

test('the password of an address among the arguments is masked, and kept when edited', () => {
  const urls = ['postgres://ada:hunter2@db.example/notes', '--db=redis://:hunter3@[::1]:6379/0']
  const others = ['https://example.com:8080/@scope/a', 'postgres://ada:${PASSWORD}@db/a', 'a:b@c']
  const entry = { command: 'server', args: [...urls, ...others] }

  const shown = maskEntry(entry)

  const masked = ['postgres://ada:••••••@db.example/notes', '--db=redis://:••••••@[::1]:6379/0']
  expect(shown).toMatchObject({ args: [...masked, ...others] })
  expect(withStored(shown, entry)).toEqual(entry)
})

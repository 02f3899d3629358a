import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { consentWith, proposed, rulesOf } from './proposed.ts'

const noLinks = { workspaceFolder: '/home/me/w{1}', realPath: () => undefined }

async function decisionOf(args: object, input: object, decision = 'allow'): Promise<string> {
  const rules = [
    { args: { ...args }, decision },
    ...(decision === 'deny' ? [{ decision: 'allow' }] : []),
  ]
  const { decideOne } = consentWith({ rules: rulesOf(rules, {}, noLinks) })
  return (await decideOne(proposed({ arguments: { ...input } }))).decision
}

const inside = { path: '${workspaceFolder}/**' }

test.each([
  '/home/me/w{1}/a.txt',
  '/home/me/w{1}/a/b/c.txt',
  '/home/me/w{1}/a b/é.txt',
  '/home/me/w{1}/a/../b.txt',
  '/home/me/w{1}/..a/b',
])('allows a path inside the folder: %s', async (path) => {
  expect(await decisionOf(inside, { path })).toBe('allow')
})

test.each([
  '/home/me/w{1}/../secret',
  '/home/me/w{1}/a/../../secret',
  '/home/me/w{1}/%2e%2e/secret',
  '/home/me/w{1}/%252e%252e/secret',
  '/home/me/w{1}/..%2fsecret',
  '/home/me/w{1}/..%5csecret',
  String.raw`/home/me/w{1}/..\secret`,
  '/home/me/w{1}/.. /secret',
  '/home/me/w{1}/.../secret',
  '/home/me/w{1}/\uFF0E\uFF0E/secret',
  '/home/me/w{1}/a\0/../../x',
  '/home/me/w{1}/a\n/etc/passwd',
  '/home/me/w{1}/\u202Ea',
  '/home/me/w{1}x/a',
  '/home/me/W{1}/a',
  '/home/me/w{1}',
  '/home/me/w1/a',
  'home/me/w{1}/a',
  'a.txt',
  '',
  ['/home/me/w{1}/a'],
  5,
  null,
])('does not allow a path that leads elsewhere, or may: %j', async (path) => {
  expect(await decisionOf(inside, { path })).toBe('deny')
})

test('a missing argument allows nothing', async () => {
  expect(await decisionOf(inside, {})).toBe('deny')
  expect(await decisionOf({ 'a.b': '*' }, { a: {} })).toBe('deny')
})

test.each([
  '/etc/passwd',
  '/ETC/passwd',
  '/tmp/../etc/passwd',
  '/%65tc/passwd',
  '/%2565tc/passwd',
  '//etc/passwd',
  '/etc/./passwd',
  String.raw`\etc\passwd`,
  'file:///etc/passwd',
  'file://localhost/etc/passwd',
  '../../../etc/passwd',
  ['/tmp/a', '/etc/passwd'],
  { deep: [{ path: '/etc/passwd' }] },
])('forbids a path in every spelling: %j', async (path) => {
  expect(await decisionOf({ path: '/etc/**' }, { path }, 'deny')).toBe('deny')
})

test('forbids only what it speaks of', async () => {
  expect(await decisionOf({ path: '/etc/**' }, { path: '/tmp/etc/x' }, 'deny')).toBe('allow')
})

test.each([
  ['https://api.example.com/v1/x', 'allow'],
  ['https://a.b.example.com/x', 'allow'],
  ['https://evil.com/.example.com/', 'deny'],
  ['https://evil.com#.example.com/', 'deny'],
  ['https://evil.com?.example.com/', 'deny'],
  [String.raw`https://evil.com\.example.com/`, 'deny'],
  ['https://x.example.com@evil.com/', 'deny'],
  ['https://x.example.com.evil.com/', 'deny'],
  ['https://evil.com:443#@x.example.com/', 'deny'],
  ['http://api.example.com/', 'deny'],
  ['api.example.com', 'deny'],
])('reads addresses as browsers do: %s', async (url, expected) => {
  expect(await decisionOf({ url: 'https://*.example.com/**' }, { url })).toBe(expected)
})

test.each([
  ['https://api.example.com/admin/**', 'https://api.example.com//admin/x'],
  ['https://api.example.com/admin/**', 'https://api.example.com/%61dmin//x'],
  ['https://api.example.com/admin/**', 'https://api.example.com./admin/x'],
  ['file:///etc/**', 'file:////etc/passwd'],
])('forbids %s in its other spelling %s', async (pattern, url) => {
  expect(await decisionOf({ url: pattern }, { url }, 'deny')).toBe('deny')
})

test('looks into objects and lists by path, and compares other values', async () => {
  const args = { 'options.mode': 'read*', 'files[*]': '*.md', count: 2, dry: true }
  const input = { options: { mode: 'readonly' }, files: ['a.md', 'b.md'], count: 2, dry: true }

  expect(await decisionOf(args, input)).toBe('allow')
  expect(await decisionOf(args, { ...input, files: ['a.md', 'b.sh'] })).toBe('deny')
  expect(await decisionOf(args, { ...input, files: [] })).toBe('deny')
  expect(await decisionOf(args, { ...input, count: '2' })).toBe('deny')
  expect(await decisionOf(args, { ...input, dry: 'true' })).toBe('deny')
  expect(await decisionOf(args, { ...input, 'options.mode': 'write' })).toBe('deny')
})

test('follows links before it allows', async () => {
  const temporary = folderWith({})
  const folder = join(temporary, 'project')
  const other = join(temporary, 'other')
  for (const each of [folder, other]) mkdirSync(each)
  writeFileSync(join(other, 'secret'), '')
  symlinkSync(other, join(folder, 'out'))
  symlinkSync(folder, join(temporary, 'linked'))
  const decide = async (workspaceFolder: string, path: string) => {
    const rules = rulesOf([{ args: inside, decision: 'allow' }], {}, { workspaceFolder })
    return (await consentWith({ rules }).decideOne(proposed({ arguments: { path } }))).decision
  }

  expect(await decide(folder, join(folder, 'new.txt'))).toBe('allow')
  expect(await decide(folder, join(folder, 'out/secret'))).toBe('deny')
  expect(await decide(folder, join(folder, 'out/new.txt'))).toBe('deny')
  const linked = join(temporary, 'linked')
  expect(await decide(linked, join(linked, 'new.txt'))).toBe('allow')
})

test('no spelling of a way out is allowed', async () => {
  const dots = fc.constantFrom('..', '%2e%2e', '%2E.', '%252e%252e', '.. ', '\uFF0E\uFF0E', '...')
  const slash = fc.constantFrom('/', '\\', '%2f', '%5C', '//', '/./')
  const name = fc.stringMatching(/^[a-z]{1,5}$/)
  const way = fc.tuple(fc.array(fc.tuple(name, slash), { maxLength: 3 }), dots, slash, name)
  await fc.assert(
    fc.asyncProperty(way, async ([down, up, separator, last]) => {
      const steps = down.map(([step, sign]) => step + sign).join('')
      const back = (up + separator).repeat(down.length + 1)
      const path = `/home/me/w{1}/${steps}${back}${last}`

      expect(await decisionOf(inside, { path })).toBe('deny')
    }),
  )
})

test('patterns take time in proportion to the text', async () => {
  const text = `${'a'.repeat(60_000)}b`

  expect(await decisionOf({ text: '*a*a*a*a*a*a*a*a*c' }, { text })).toBe('deny')
})

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { CurationChange } from '@parley/registry'
import { expect, it, onTestFinished } from 'vitest'

import { everyKind, openDatabases } from '../databases.ts'
import { adminKeys, documentOf, openRegistry, type AskInit } from '../registry-under-test.ts'

type Step = readonly [status: number, path: string, init?: AskInit]

const auth = { keys: { admin: { ...adminKeys.admin, moderate: ['*'] } } }
const remotes = [{ type: 'streamable-http', url: 'https://mcp.example.com/mcp' }]
const npm = {
  registryType: 'npm',
  identifier: '@x/one',
  version: '1.0.0',
  transport: { type: 'stdio' },
}

const publish = (name: string, version: string, more: object = {}): Step => [
  200,
  'publish',
  { body: documentOf(name, version, more) },
]
const post = (path: string, body: object, status = 200): Step => [status, path, { body }]
const patch = (path: string, body: object, status = 200): Step => [
  status,
  path,
  { method: 'PATCH', body },
]
const decide = (body: object): Step => post('x/moderation', { reason: 'a test', ...body })
const set = (change: Pick<CurationChange, 'kind' | 'pattern' | 'value'>): Step =>
  decide({ action: 'set', ...change })

const one = 'servers/com.example%2Fone'

/** Writes into every table, and changes and deletes what it wrote. */
const writing: readonly Step[] = [
  publish('com.example/one', '1.0.0', { title: 'The first', remotes }),
  publish('com.example/one', '1.10.0', { description: 'Maps of the WORLD, 100%', remotes }),
  publish('com.example/one', '1.9.0', { packages: [npm] }),
  publish('com.example/two', 'spring', { packages: [npm] }),
  publish('com.examp1e/two', '1.0.0'),
  publish('org.other/three', '1.0.0', { title: 'Weather', description: 'Météo of the world' }),
  publish('org.private/four', '1.0.0', { description: 'A word' }),
  publish('org.late/five', '1.0.0'),
  [400, 'publish', { body: documentOf('com.example/one', '1.0.0') }],
  [400, 'publish', { body: documentOf('org.other/thief', '1.0.0', { remotes }) }],
  patch(`${one}/versions/1.9.0/status`, { status: 'deprecated', statusMessage: 'use 1.10' }),
  patch('servers/org.other%2Fthree/status', { status: 'deprecated' }),
  patch('servers/org.other%2Fthree/status', { status: 'active' }),
  [200, 'servers/com.example%2Ftwo/versions/spring', { method: 'DELETE' }],
  [
    200,
    `${one}/versions/1.9.0`,
    { method: 'PUT', body: documentOf('com.example/one', '1.9.0', { title: 'Edited' }) },
  ],
  post('x/rename', { from: 'org.late/five', to: 'org.early/five' }),
  post('x/rename', { from: 'org.none/five', to: 'org.early/six' }, 404),
  post('x/snapshots', {
    name: 'com.example/one',
    version: '1.0.0',
    tools: [{ name: 'read' }, { name: 'old' }],
  }),
  post('x/snapshots', {
    name: 'com.example/one',
    version: '1.10.0',
    tools: [{ name: 'read', description: 'Reads' }],
  }),
  post('x/report', { name: 'com.example/one', kind: 'spam', text: 'Not theirs.' }),
  post('x/report', { name: 'org.other/three', kind: 'impersonation' }),
  decide({ action: 'dismiss', name: 'org.other/three' }),
  decide({ action: 'note', name: 'com.example/one', text: 'asked the publisher' }),
  set({ kind: 'pin', pattern: 'com.example/one', value: '1.0.0' }),
  set({ kind: 'overlay', pattern: 'com.example/*', value: { 'com.mirror/rating': { stars: 5 } } }),
  set({ kind: 'private', pattern: 'org.private/*' }),
  decide({ action: 'hide', name: 'com.examp1e/two' }),
  decide({ action: 'block', publisher: 'org.early' }),
  decide({ action: 'remove', kind: 'block', pattern: 'org.early' }),
  publish('com.example/one', '2.0.0', { remotes }),
]

/** Reads all of that, as publishers, moderators and strangers do. */
const reading: readonly Step[] = [
  ...[
    'servers',
    'servers?include_deleted=true',
    'servers?limit=2',
    'servers?limit=2&cursor=com.example/one:1.10.0',
    'servers?version=latest',
    'servers?search=EXAMPLE',
    'servers?search=100%25',
    'servers?search=none-of-them',
    'servers?updated_since=2026-05-01T12:00:05Z',
    `${one}/versions`,
    `${one}/versions/latest`,
    `${one}/versions/1.9.0`,
    'x/search?q=world',
    'x/search?q=wea',
    'x/search?registryType=npm',
    'x/search?remote=yes&limit=1&offset=1',
    'x/search?publisher=com.example',
    'x/suggest?q=on',
    'x/changes',
    'x/changes?cursor=4&limit=3',
    'x/trust?name=com.example/one',
    'x/config?name=com.example/one',
    'x/feed.atom?publisher=com.example',
    'x/index',
  ].map((path): Step => [200, path]),
  [404, 'servers/com.examp1e%2Ftwo/versions/latest'],
  [404, 'servers/com.example%2Ftwo/versions/latest'],
  [400, 'servers?cursor=WyJhIiwiYiIsInh4eHh4eHh4Il0'],
]

/** Asked for with a token, which shows private entries and what moderators know. */
const asModerator = [
  'x/moderation',
  'x/moderation?name=com.example/one',
  'x/search?q=word',
  'servers?search=private',
  'x/session',
]

/** Every answer of the walk, by step, with the files of an export at its end, and what a mirror of it has. */
async function walk(kind: (typeof everyKind)[number]) {
  await using databases = await openDatabases(kind)
  let now = Date.parse('2026-05-01T12:00:00Z')
  const open = async () =>
    openRegistry({
      database: await databases.create(),
      auth,
      indexKey: '11'.repeat(32),
      now: () => now,
    })
  await using registry = await open()
  const answers = new Map<string, unknown>()
  const statuses: (readonly [string, number])[] = []

  async function take([, path, init]: Step, at: number): Promise<void> {
    now += 500
    const { status, body } = await registry.ask(path, init)
    const name = `${at} ${path}`
    statuses.push([name, status])
    answers.set(name, body)
  }
  const token = await registry.token()
  const all = [...writing, ...reading, ...asModerator.map((path): Step => [200, path, { token }])]
  for (const [at, step] of all.entries()) await take(step, at)

  await using mirror = await open()
  const source = { id: 'upstream', url: 'http://upstream.test' }
  for (const round of ['first', 'again']) {
    const report = await mirror.registry.sync({ source, fetch: registry.registry.fetch })
    answers.set(`${round} mirrored`, report)
    await registry.publish(documentOf('com.example/new', '1.0.0'))
  }
  answers.set('mirror', (await mirror.ask('servers?include_deleted=true')).body)
  answers.set('export', await readExport(registry.registry.exportStatic))
  const expected = all.map(([status, path], at) => [`${at} ${path}`, status])
  return { answers, statuses, expected }
}

async function readExport(exportTo: (folder: string) => Promise<unknown>) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-export-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await exportTo(folder)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
  return paths.toSorted().map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')])
}

const hasBoth = everyKind.length === 2

it.skipIf(!hasBoth)('both databases answer everything alike [REG-03, REG-05, REG-07]', async () => {
  const [sqlite, postgres] = await Promise.all(everyKind.map(walk))

  expect(sqlite?.statuses).toEqual(sqlite?.expected)
  expect(postgres?.answers).toEqual(sqlite?.answers)
})

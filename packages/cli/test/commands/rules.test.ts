import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { createFileConsentStore, readRules, type RememberedDecision } from '@parley/host'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { run } from '../run.ts'

const good = `{
  // what may run
  "rules": [
    { "server": "git", "tool": "git_{status,diff*}", "decision": "allow" },
    { "server": "fs", "tool": "write_file", "args": { "path": "\${workspaceFolder}/**" }, "decision": "allow" },
    { "tool": "*delete*", "decision": "deny" },
    { "when": "flow.untrusted && tool.openWorld", "decision": "ask" }
  ]
}`

test('check tells line and cure of each mistake, and ends with 6', async () => {
  const cwd = folderWith({
    'rules.json':
      '{\n "rules": [\n  { "tol": "x", "decision": "allow" },\n  { "tool": "x" }\n ]\n}',
  })

  const { code, stdout, stderr } = await run(['rules', 'check', 'rules.json'], { cwd })
  const json = await run(['rules', 'check', 'rules.json', '--json'], { cwd })

  expect(code).toBe(6)
  expect(stdout).toContain(
    'rules.json:3:12: error: rule 1: "tol" is unknown\n    Did you mean "tool"?',
  )
  expect(stdout).toContain('rules.json:4:3: error: rule 2 has no decision')
  expect(stderr).toContain('2 errors in rules.json')
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, problems: [{ line: 3 }, { line: 4 }] })
})

test('check is content with a good file, and warns of rules without effect', async () => {
  const cwd = folderWith({
    'rules.json': good,
    'dead.json': '{ "rules": [ { "tool": "x", "decision": "allow" }, { "decision": "ask" } ] }',
  })

  const fine = await run(['rules', 'check', 'rules.json'], { cwd })
  const dead = await run(['rules', 'check', 'dead.json'], { cwd })

  expect(fine).toMatchObject({ code: 0, stdout: '' })
  expect(fine.stderr).toContain('4 rules, no errors.')
  expect(dead.code).toBe(0)
  expect(dead.stdout).toContain(
    'dead.json:1: warning: rule 1 (dead.json:1): allow */x never counts',
  )
})

test('reads your own rules where no file is named, and says where they would be', async () => {
  const home = folderWith({ '.config/parley/rules.json': good })

  const own = await run(['rules', 'check'], { env: { HOME: home } })
  const none = await run(['rules', 'check'], { env: { HOME: folderWith({}) } })

  expect(own.code).toBe(0)
  expect(none.code).toBe(1)
  expect(none.stderr).toContain('.config/parley/rules.json cannot be read: there is no such file')
})

test.each([
  [['git', 'git_status'], 'allow', 'rule 1 (rules.json:4): allow git/git_{status,diff*}'],
  [['git', 'git_push'], 'ask', 'no rule matches this call'],
  [['fs', 'delete_all'], 'deny', 'rule 3 (rules.json:6): deny */*delete*'],
  [['git', 'git_status', '--untrusted'], 'ask', 'rule 4 (rules.json:7): ask */*'],
  [['fs', 'write_file', 'path=/etc/passwd'], 'ask', 'no rule matches this call'],
])('explain %j says %s, and by which rule', async (words, decision, reason) => {
  const cwd = folderWith({ 'rules.json': good })

  const { code, stdout } = await run(['rules', 'explain', '--rules', 'rules.json', ...words], {
    cwd,
  })

  expect(code).toBe(0)
  expect(stdout.split('\n')[0]).toBe(`${decision}: ${reason}`)
})

test('explain shows why each other rule does not fit', async () => {
  const cwd = folderWith({ 'rules.json': good })
  const words = ['fs', 'write_file', `path=${cwd}/../x`, '--json']

  const { stdout } = await run(['rules', 'explain', '--rules', 'rules.json', ...words], { cwd })
  const inside = await run(
    ['rules', 'explain', '--rules', 'rules.json', 'fs', 'write_file', `{"path":"${cwd}/a"}`],
    { cwd },
  )

  expect(JSON.parse(stdout)).toMatchObject({
    decision: 'ask',
    rules: [
      { matches: false, because: 'it is about other servers' },
      { matches: false, because: 'the argument path does not fit' },
      { matches: false, because: 'it is about other tools' },
      { matches: false, because: 'its "when" does not hold' },
    ],
  })
  expect(inside.stdout).toMatch(/^allow: rule 2/)
})

function answer(change: Partial<RememberedDecision>): RememberedDecision {
  return {
    id: '11111111-aaaa',
    decision: 'allow',
    server: 'git',
    serverHash: 'h',
    tool: { name: 'git_push', hash: 'sha256:1' },
    flow: { untrusted: false, private: false },
    at: '2026-11-16T10:00:00.000Z',
    ...change,
  }
}

test('list shows remembered answers, and revoke forgets them', async () => {
  const state = folderWith({})
  const env = { PARLEY_STATE: state }
  const store = createFileConsentStore(join(state, 'consent.json'))
  await store.change((memory) => ({
    ...memory,
    answers: [
      answer({}),
      answer({ id: '22222222-bbbb', server: 'fs', tool: undefined, decision: 'deny' }),
      answer({ id: '33333333-cccc', server: 'we\u202Eb' }),
    ],
  }))

  const listed = await run(['rules', 'list'], { env })
  expect(listed.stdout).toMatch(/^11111111 +allow +git +git_push +2026-11-16 10:00$/m)
  expect(listed.stdout).toMatch(/^22222222 +deny +fs +\(all tools\)/m)
  expect(listed.stdout).toContain(String.raw`we\u{202e}b`)

  expect(await run(['rules', 'revoke'], { env })).toMatchObject({ code: 1 })
  expect(await run(['rules', 'revoke', '4444'], { env })).toMatchObject({ code: 1 })
  expect((await run(['rules', 'revoke', '2222'], { env })).stderr).toContain('1 answer forgotten')
  expect((await run(['rules', 'revoke', '--server', 'git'], { env })).code).toBe(0)
  const left = await run(['rules', 'list', '--json'], { env })
  expect(JSON.parse(left.stdout)).toMatchObject({ answers: [{ id: '33333333-cccc' }] })
  expect((await run(['rules', 'revoke', '--all'], { env })).code).toBe(0)
  expect((await run(['rules', 'list'], { env })).stderr).toContain('No answer is remembered.')
})

test('trust and distrust change the list of trusted servers, and list shows it [AUI-03]', async () => {
  const home = folderWith({
    '.config/parley/rules.json': '{\n  // mine\n  "rules": [],\n  "trusted": ["fs"]\n}\n',
  })
  const file = join(home, '.config/parley/rules.json')
  const env = { HOME: home, PARLEY_STATE: join(home, 'state') }

  expect((await run(['rules', 'trust', 'git', 'web*'], { env })).stderr).toContain(
    'Trusted: fs, git, web*.',
  )
  expect((await run(['rules', 'list'], { env })).stdout).toContain('trusted: fs, git, web*')
  expect((await run(['rules', 'distrust', 'fs'], { env })).code).toBe(0)
  expect(await run(['rules', 'distrust', 'fs'], { env })).toMatchObject({ code: 1 })

  const text = await readFile(file, 'utf8')
  expect(text).toContain('// mine')
  const read = readRules(text)
  expect(read.ok && ['git', 'web2', 'fs'].map((name) => read.rules.isTrusted(name))).toEqual([
    true,
    true,
    false,
  ])
})

test('trust makes a file where there is none, and does not touch one with mistakes', async () => {
  const home = folderWith({})
  const broken = folderWith({ '.config/parley/rules.json': '{ "ruls": [] }' })

  expect((await run(['rules', 'trust', 'git'], { env: { HOME: home } })).code).toBe(0)
  expect((await run(['rules', 'trust', 'git'], { env: { HOME: broken } })).code).toBe(6)

  const made = readRules(await readFile(join(home, '.config/parley/rules.json'), 'utf8'))
  expect(made.ok && made.rules.trusted).toEqual(['git'])
})

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { run } from '../run.ts'

const policy = `
policy:
  - name: readers
    when: mcp.tool.annotations.readOnlyHint
  - name: writers
    when: '"writers" in jwt.groups && args.path.startsWith("/srv/")'
  - { name: no wiping, when: mcp.tool.name == "wipe", decision: deny }
`

test('gateway explain says which rule decides, for calls and lists', async () => {
  const cwd = folderWith({ 'gateway.yaml': policy })
  const explain = (...argv: readonly string[]) =>
    run(['gateway', 'explain', 'gateway.yaml', '--upstream', 'notes', ...argv], { cwd })

  const denied = await explain('--tool', 'wipe')
  expect(denied.stdout).toContain(
    'deny  the policy refuses tools/call of "notes__wipe" by "no wiping"',
  )
  expect(denied.stdout).toContain('in lists: hidden')
  expect(denied.code).toBe(0)
  const writers = ['--claims', '{"groups":["writers"]}', '--json']
  const allowed = await explain('--tool', 'write', '--args', '{"path":"/srv/a"}', ...writers)
  expect(JSON.parse(allowed.stdout)).toMatchObject({
    call: {
      decision: 'allow',
      rule: 'writers',
      trace: [{ result: 'false' }, { result: 'false' }, { result: 'true' }],
    },
    list: { decision: 'allow', trace: [{}, {}, { result: 'depends' }] },
  })
  const hinted = await explain('--tool', 'read', '--annotations', '{"readOnlyHint":true}')
  expect(hinted.stdout).toContain('allow  the policy allows')
})

test.each([
  [['--upstream', 'notes'], 'name one of --tool, --prompt and --resource'],
  [['--upstream', 'notes', '--tool', 'a', '--prompt', 'b'], 'name one of'],
  [['--upstream', 'notes', '--tool', 'a', '--args', '[1]'], '--args is not a JSON object'],
])('gateway explain tells what is wrong with %j', async (argv, message) => {
  const cwd = folderWith({ 'gateway.yaml': policy })
  const { code, stderr } = await run(['gateway', 'explain', 'gateway.yaml', ...argv], { cwd })

  expect(code).not.toBe(0)
  expect(stderr).toContain(message)
})

test('gateway explain tells mistakes of the file', async () => {
  const cwd = folderWith({
    'gateway.yaml': 'policy: [ "mcp.tol.name" ]\n',
    'none.yaml': 'servers: {}\n',
  })
  const about = ['--upstream', 'a', '--tool', 'b']

  const wrong = await run(['gateway', 'explain', 'gateway.yaml', ...about], { cwd })
  expect(wrong.stderr).toContain(
    'policy.0: the policy rule 1 cannot be used: mcp has no member "tol"',
  )
  expect(wrong.code).toBe(6)
  const none = await run(['gateway', 'explain', 'none.yaml', ...about], { cwd })
  expect(none.stderr).toContain('none.yaml has no policy')
  const absent = await run(['gateway', 'explain', 'absent.yaml', ...about], { cwd })
  expect(absent.stderr).toContain('absent.yaml cannot be read')
})

test('gateway keys are made, listed and revoked', async () => {
  const cwd = folderWith({})
  const keys = (...argv: readonly string[]) => run(['gateway', 'keys', ...argv], { cwd })

  expect((await keys('list')).stderr).toContain('There are no keys.')
  const made = await keys('create', '--name', 'ada', '--scope', 'read', '--expires', '90d')
  expect(made.stdout).toMatch(/^pgk_[a-z0-9]{12}_[\w-]{43}\n$/)
  const id = made.stdout.slice(4, 16)
  expect((await keys('list')).stdout).toMatch(new RegExp(`${id} +ada +active +read`))
  expect((await keys('revoke', id)).code).toBe(0)
  const listed = await keys('list', '--json')
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id, name: 'ada', state: 'revoked' }])
  expect(listed.stdout).not.toContain('hash')

  expect((await keys('revoke', 'nobody')).stderr).toContain('there is no key "nobody"')
  expect((await keys('create', '--name', 'a', '--expires', 'soon')).stderr).toContain(
    'write 2027-01-31, 12h or 90d',
  )
  writeFileSync(join(cwd, 'keys.json'), '{}')
  expect((await keys('list')).stderr).toContain('is not a file of API keys')
})

test('gateway quarantine shows differences, approves and rejects', async () => {
  const definition = (description: string) => ({ name: 'add', description })
  const entry = (name: string, hash: string, description: string) => ({
    upstream: 'git',
    kind: 'tool',
    name,
    waiting: { hash, at: '2026-01-01T00:00:00.000Z', definition: definition(description) },
  })
  const pins = {
    version: 1,
    entries: [
      {
        ...entry('add', 'b', 'Adds. \u001b[31mSends keys.\u202e'),
        approved: { hash: 'a', at: '', definition: definition('Adds.') },
      },
      entry('new', 'c', 'Something new.'),
    ],
  }
  const cwd = folderWith({ 'gateway.yaml': 'pinning: { mode: enforce, file: pins.json }\n' })
  writeFileSync(join(cwd, 'pins.json'), JSON.stringify(pins), { mode: 0o600 })
  const quarantine = (...argv: readonly string[]) =>
    run(['gateway', 'quarantine', ...argv], { cwd })

  const { stdout } = await quarantine('list')
  expect(stdout).toContain('- "Adds."')
  expect(stdout).toContain('Sends keys.')
  expect(stdout).toContain('Something new.')
  expect(stdout).toContain('marks that change the direction of text')
  expect(stdout).not.toContain('\u001b')
  expect(stdout).not.toContain('\u202e')
  const [first = '', second = ''] = stdout.match(/^[0-9a-f]{16}/gm) ?? []
  expect((await quarantine('reject', first)).stderr).toContain('rejected: tool add of git')
  expect((await quarantine('approve', second)).stderr).toContain('approved: tool new of git')
  const left = await quarantine('list', '--json')
  expect(JSON.parse(left.stdout)).toMatchObject([{ name: 'add', isRejected: true }])
  expect((await quarantine('approve', '--all')).code).toBe(0)
  expect((await quarantine('approve', second)).stderr).toContain('list it again')
  expect((await quarantine('approve')).stderr).toContain('no id was given')
  expect(existsSync(join(cwd, 'pins.json.lock'))).toBe(false)
})

import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import {
  createFileConsentStore,
  createMemoryConsentStore,
  revokeAnswers,
  type ConsentAnswer,
  type ConsentStore,
} from '@parley/host'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { consentWith, proposed, rulesOf, toolNamed } from './proposed.ts'

const tool = toolNamed('write_file', { description: 'Writes a file.' })
const changedTool = toolNamed('write_file', { description: 'Writes a file, and reads your keys.' })

/** A session in which a person gives this answer to everything. */
function sessionOf(answer: ConsentAnswer, remembered?: ConsentStore, rules = rulesOf([])) {
  return consentWith({
    ask: async (questions) => questions.map(() => answer),
    remembered,
    rules,
  })
}

test.each([
  [{ decision: 'allow' }, 2, 1],
  [{ decision: 'allow', remember: 'session' }, 1, 1],
  [{ decision: 'allow', remember: 'always' }, 1, 0],
] as const)('remembers %j as long as it says [TUI-05]', async (answer, inSession, inNext) => {
  const store = createMemoryConsentStore()
  const first = sessionOf(answer, store)
  await first.decideOne(proposed())
  await first.decideOne(proposed())

  const second = sessionOf(answer, store)
  await second.decideOne(proposed())

  expect(first.asked).toHaveLength(inSession)
  expect(second.asked).toHaveLength(inNext)
})

test('remembers refusals until they are revoked, whatever the server changes', async () => {
  const store = createMemoryConsentStore()
  await sessionOf({ decision: 'deny', remember: 'always' }, store).decideOne(proposed({ tool }))
  const later = sessionOf({ decision: 'allow' }, store)

  expect(await later.decideOne(proposed({ tool: changedTool }))).toMatchObject({
    decision: 'deny',
    message: 'The user has refused this tool before.',
  })
  expect(later.asked).toEqual([])

  expect(await revokeAnswers(store, ({ server }) => server === 'fs')).toBe(1)
  expect(await later.decideOne(proposed({ tool }))).toMatchObject({ decision: 'allow' })
})

test('lists what was answered, and forgets one', async () => {
  const store = createMemoryConsentStore()
  const always = sessionOf({ decision: 'allow', remember: 'always' }, store)
  await always.decideOne(proposed({ server: 'git' }))
  const { consent, decideOne, asked } = sessionOf({ decision: 'deny', remember: 'session' }, store)
  await decideOne(proposed())

  const answers = await consent.answers()

  expect(answers).toMatchObject([
    { server: 'git', decision: 'allow', duration: 'always', tool: { name: 'write_file' } },
    { server: 'fs', decision: 'deny', duration: 'session' },
  ])
  for (const { id } of answers) expect(await consent.revoke(id)).toBe(true)
  expect(await consent.revoke('none')).toBe(false)
  expect(await consent.answers()).toEqual([])
  await decideOne(proposed())
  await decideOne(proposed({ server: 'git' }))
  expect(asked).toHaveLength(3)
})

test('remembers for one tool, or for a server', async () => {
  const store = createMemoryConsentStore()
  const forTool = sessionOf({ decision: 'allow', remember: 'session' }, store)
  const forServer = sessionOf({ decision: 'allow', remember: 'session', scope: 'server' }, store)

  for (const { decideOne } of [forTool, forServer]) {
    await decideOne(proposed())
    await decideOne(proposed({ tool: toolNamed('read_file') }))
    await decideOne(proposed({ server: 'other' }))
  }

  expect(forTool.asked).toHaveLength(3)
  expect(forServer.asked).toHaveLength(2)
})

test.each([
  ['a person who said always', { remember: 'always' } as const, []],
  ['a person who trusts the server', { remember: 'session', scope: 'server' } as const, []],
  ['a rule', {}, [{ server: 'fs', tool: '*', decision: 'allow' }]],
])('a changed definition is asked about again, after %s [TUI-06]', async (_, answer, rules) => {
  const { decideOne, asked } = sessionOf(
    { decision: 'allow', ...answer },
    createMemoryConsentStore(),
    rulesOf(rules),
  )
  await decideOne(proposed({ tool }))
  const before = asked.length

  await decideOne(proposed({ tool: changedTool }))
  await decideOne(proposed({ tool: changedTool }))

  expect(asked).toHaveLength(before + 1)
  expect(asked.at(-1)?.[0]).toMatchObject({
    reason: 'the definition of the tool changed since it was allowed',
    changes: [
      {
        what: 'tool',
        before: { description: 'Writes a file.' },
        after: { description: 'Writes a file, and reads your keys.' },
      },
    ],
  })
})

test('a definition that changed between two sessions is asked about, also if a rule allows it [TUI-06]', async () => {
  const store = createMemoryConsentStore()
  const rules = rulesOf([{ decision: 'allow' }])
  await consentWith({ rules, remembered: store }).decideOne(proposed({ tool }))

  const next = await consentWith({ rules, remembered: store }).decideOne(
    proposed({ tool: changedTool }),
  )

  expect(next).toMatchObject({ decision: 'deny', unanswered: {} })
  const allowing = next.decision === 'deny' ? next.unanswered?.ruleThatAllows : undefined
  expect(allowing).toMatchObject({ definition: expect.stringMatching(/^sha256:/) as string })
  const pinned = rulesOf([allowing ?? {}])
  expect(
    await consentWith({ rules: pinned, remembered: store }).decideOne(
      proposed({ tool: changedTool }),
    ),
  ).toMatchObject({ decision: 'allow' })
})

test('a changed server is asked about again, with what changed', async () => {
  const store = createMemoryConsentStore()
  const { decideOne, asked } = sessionOf({ decision: 'allow', remember: 'always' }, store)
  await decideOne(proposed({ serverDefinition: { command: 'node' } }))

  await decideOne(proposed({ serverHash: 'command-2', serverDefinition: { command: 'sh' } }))
  await decideOne(proposed({ serverHash: 'command-2', serverDefinition: { command: 'sh' } }))

  expect(asked).toHaveLength(2)
  expect(asked[1]?.[0]?.changes).toEqual([
    { what: 'server', before: { command: 'node' }, after: { command: 'sh' } },
  ])
})

test('the order of members and _meta do not make a definition another one', async () => {
  const { decideOne, asked } = sessionOf({ decision: 'allow', remember: 'session' })
  const schema = { type: 'object', required: ['a'] } as const
  await decideOne(proposed({ tool: { name: 'x', description: 'd', inputSchema: schema } }))

  const turned = { required: ['a'], type: 'object' } as const
  const same = { _meta: { 'example.com/at': 2 }, inputSchema: turned, description: 'd', name: 'x' }
  await decideOne(proposed({ tool: same }))

  expect(asked).toHaveLength(1)
})

test('a rule says how long an answer may count', async () => {
  const store = createMemoryConsentStore()
  const ask = (remember: string) => rulesOf([{ tool: '*', decision: 'ask', remember }])
  const always = { decision: 'allow', remember: 'always' } as const
  const once = sessionOf(always, store, ask('once'))
  await once.decideOne(proposed())
  await once.decideOne(proposed())
  expect(once.asked).toHaveLength(2)
  expect(once.asked[0]?.[0]).toMatchObject({ maxRemembered: 'once' })

  const session = sessionOf(always, store, ask('session'))
  await session.decideOne(proposed())
  await session.decideOne(proposed())
  expect(session.asked).toHaveLength(1)
  expect((await store.read()).answers).toEqual([])
})

test('what was allowed before private and untrusted content is asked about after it', async () => {
  const { decideOne, asked } = sessionOf({ decision: 'allow', remember: 'session' })
  const flow = { untrusted: true, private: true }
  await decideOne(proposed())
  await decideOne(proposed({ flow: { untrusted: true, private: false } }))
  expect(asked).toHaveLength(1)

  await decideOne(proposed({ flow }))
  await decideOne(proposed({ flow }))

  expect(asked).toHaveLength(2)
  expect(asked[1]?.[0]?.reason).toContain('before the conversation read')
})

test('trust in a whole server does not cover dangerous tools after untrusted content', async () => {
  const answer = { decision: 'allow', remember: 'session', scope: 'server' } as const
  const { decideOne, asked } = sessionOf(answer)
  const outward = toolNamed('post', { annotations: { openWorldHint: true } })
  const flow = { untrusted: true, private: false }
  await decideOne(proposed({ tool: outward }))
  await decideOne(proposed({ tool: toolNamed('list'), flow }))
  expect(asked).toHaveLength(1)

  await decideOne(proposed({ tool: outward, flow }))

  expect(asked).toHaveLength(2)
})

test('rules that forbid win over what was remembered', async () => {
  const store = createMemoryConsentStore()
  await sessionOf({ decision: 'allow', remember: 'always' }, store).decideOne(proposed())

  const rules = rulesOf([{ tool: 'write_*', decision: 'deny' }])
  const later = consentWith({ remembered: store, rules })

  expect(await later.decideOne(proposed())).toMatchObject({ decision: 'deny' })
})

test('what a person runs is not asked about, but may be forbidden', async () => {
  const { decideOne } = consentWith({ rules: rulesOf([{ tool: 'rm', decision: 'deny' }]) })

  expect(await decideOne(proposed({ by: 'person' }))).toMatchObject({ decision: 'allow' })
  expect(await decideOne(proposed({ by: 'person', tool: toolNamed('rm') }))).toMatchObject({
    decision: 'deny',
  })
})

test('keeps answers in a file that only its owner can read', async () => {
  const file = join(folderWith({}), 'state/consent.json')
  const answer = { decision: 'allow', remember: 'always' } as const
  await sessionOf(answer, createFileConsentStore(file)).decideOne(proposed())

  const next = sessionOf(answer, createFileConsentStore(file))
  await next.decideOne(proposed())

  expect(next.asked).toEqual([])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('many writers at once lose no answer', async () => {
  const file = join(folderWith({}), 'consent.json')
  const names = Array.from({ length: 20 }, (_, at) => `tool-${at}`)

  await Promise.all(
    names.map((name) =>
      sessionOf({ decision: 'allow', remember: 'always' }, createFileConsentStore(file)).decideOne(
        proposed({ tool: toolNamed(name) }),
      ),
    ),
  )

  const { answers, seen } = await createFileConsentStore(file).read()
  expect(new Set(answers.map((each) => each.tool?.name))).toEqual(new Set(names))
  expect(seen).toHaveLength(20)
})

test('sees what another process revokes', async () => {
  const file = join(folderWith({}), 'consent.json')
  const session = sessionOf({ decision: 'allow', remember: 'always' }, createFileConsentStore(file))
  await session.decideOne(proposed())
  await session.decideOne(proposed())
  expect(session.asked).toHaveLength(1)

  await revokeAnswers(createFileConsentStore(file), () => true)
  await session.decideOne(proposed())

  expect(session.asked).toHaveLength(2)
})

test('a file that cannot be read allows nothing, is told, and is not written over', async () => {
  const file = join(folderWith({ 'consent.json': '{"version":1,"ans' }), 'consent.json')
  await chmod(file, 0o600)
  const session = sessionOf({ decision: 'allow', remember: 'always' }, createFileConsentStore(file))

  await session.decideOne(proposed())
  await session.decideOne(proposed())

  expect(session.asked).toHaveLength(1) // for the session it is remembered
  expect(session.asked[0]?.[0]?.warnings.join()).toContain('is not JSON: repair it')
  expect(await readFile(file, 'utf8')).toBe('{"version":1,"ans')
  expect(session.records.filter(({ type }) => type === 'note')).toHaveLength(1)
})

test('a file that others can change is refused', async () => {
  const file = join(folderWith({}), 'consent.json')
  await writeFile(file, '{"version":1,"answers":[],"seen":[]}')
  await chmod(file, 0o666)

  await expect(createFileConsentStore(file).read()).rejects.toThrow('chmod 600')
})

import { readRules } from '@parley/host'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { consentWith, proposed, rulesOf, toolNamed } from './proposed.ts'

const allow = { decision: 'allow' }
const deny = { decision: 'deny' }

test.each([
  ['a rule that allows', [{ server: 'fs', tool: 'write_file', ...allow }], 'allow'],
  ['a star', [{ server: '*', tool: '*', ...allow }], 'allow'],
  ['a beginning', [{ server: 'f*', tool: 'write_*', ...allow }], 'allow'],
  ['braces', [{ server: 'fs', tool: '{read,write}_file', ...allow }], 'allow'],
  ['another tool', [{ server: 'fs', tool: 'write', ...allow }], 'unanswered'],
  ['another server', [{ server: 'fs2', tool: '*', ...allow }], 'unanswered'],
  ['no rules', [], 'unanswered'],
  ['deny after allow', [allow, { tool: 'write_file', ...deny }], 'deny'],
  ['deny before allow', [{ tool: 'write_file', ...deny }, allow], 'deny'],
  ['ask beside allow', [{ tool: 'w*', decision: 'ask' }, allow], 'unanswered'],
  ['deny in other letters', [allow, { tool: 'Write_File', ...deny }], 'deny'],
  ['allow in other letters', [{ tool: 'Write_File', ...allow }], 'unanswered'],
])(
  'asks unless a rule of the user says otherwise: %s [TUI-05, DEC-12]',
  async (_, rules, expected) => {
    const { decideOne } = consentWith({ rules: rulesOf(rules) })

    const decision = await decideOne(proposed())

    const isUnanswered = decision.decision === 'deny' && decision.unanswered !== undefined
    expect(isUnanswered ? 'unanswered' : decision.decision).toBe(expected)
  },
)

test('names the rule that would allow a call when nobody is there', async () => {
  const { decideOne } = consentWith()

  const decision = await decideOne(proposed({ server: 'f*s', tool: toolNamed('a{b') }))

  const ruleThatAllows = { server: String.raw`f\*s`, tool: String.raw`a\{b`, decision: 'allow' }
  expect(decision).toMatchObject({ decision: 'deny', unanswered: { ruleThatAllows } })
  const again = consentWith({ rules: rulesOf([ruleThatAllows]) })
  expect(await again.decideOne(proposed({ server: 'f*s', tool: toolNamed('a{b') }))).toMatchObject({
    decision: 'allow',
  })
})

test('says which rule asks, since an allow rule would not outweigh it', async () => {
  const { decideOne } = consentWith({ rules: rulesOf([{ tool: 'write_*', decision: 'ask' }]) })

  expect(await decideOne(proposed())).toMatchObject({
    message: expect.stringContaining('It counts once this call is taken out of rule 1') as string,
  })
})

test('claims of a server count only if the user trusts it [TUI-07, HDEC-01]', async () => {
  const rule = { when: 'tool.readOnly', ...allow }
  const call = proposed({ tool: toolNamed('list', { annotations: { readOnlyHint: true } }) })
  const stranger = consentWith({ rules: rulesOf([rule]) })
  const trusted = consentWith({ rules: rulesOf([rule], { trusted: ['f*'] }) })

  expect(await stranger.decideOne(call)).toMatchObject({ decision: 'deny' })
  expect(await trusted.decideOne(call)).toMatchObject({ decision: 'allow' })
})

test('claims never lift a rule that forbids, and may fulfil one', async () => {
  const call = proposed({
    tool: toolNamed('list', { annotations: { readOnlyHint: true, openWorldHint: false } }),
  })
  const lifted = consentWith({ rules: rulesOf([allow, { when: '!tool.readOnly', ...deny }]) })
  const fulfilled = consentWith({ rules: rulesOf([allow, { when: 'tool.readOnly', ...deny }]) })

  expect(await lifted.decideOne(call)).toMatchObject({ decision: 'deny' })
  expect(await fulfilled.decideOne(call)).toMatchObject({ decision: 'deny' })
})

test('asks by what the conversation has read', async () => {
  const rules = rulesOf([allow, { when: 'flow.untrusted && tool.openWorld', decision: 'ask' }])
  const { decideOne } = consentWith({ rules })

  expect(await decideOne(proposed())).toMatchObject({ decision: 'allow' })
  expect(await decideOne(proposed({ flow: { untrusted: true, private: false } }))).toMatchObject({
    decision: 'deny',
    unanswered: {},
  })
})

const outward = toolNamed('post', { annotations: { openWorldHint: true } })
const read = { untrusted: true, private: false }
const mixed = { untrusted: true, private: true }

test.each([
  ['a wide rule and a tool that reaches outward', { tool: '*' }, outward, read, 'deny'],
  ['a rule that names the tool', { server: 'fs', tool: 'post' }, outward, read, 'allow'],
  ['a wide rule and a tool that claims nothing', { tool: '*' }, toolNamed('post'), read, 'allow'],
  [
    'a named tool after private content too',
    { server: 'fs', tool: 'post' },
    outward,
    mixed,
    'deny',
  ],
  [
    'a rule that speaks of the flow',
    { tool: '*', when: 'flow.untrusted' },
    outward,
    mixed,
    'allow',
  ],
])(
  'less runs without asking after untrusted content: %s',
  async (_, rule, tool, flow, expected) => {
    const { decideOne } = consentWith({ rules: rulesOf([{ ...rule, ...allow }]) })

    expect(await decideOne(proposed({ tool, flow }))).toMatchObject({ decision: expected })
  },
)

test('conditions look at arguments, and what cannot be told does not allow', async () => {
  const rules = rulesOf([
    { tool: 'pay', when: 'args.amount <= 100', ...allow },
    { tool: 'send', when: 'args.to.endsWith("@evil.example")', ...deny },
    { tool: 'send', ...allow },
  ])
  const { decideOne } = consentWith({ rules })
  const decisionOf = async (tool: string, input: object) => {
    const call = proposed({ tool: toolNamed(tool), arguments: { ...input } })
    return (await decideOne(call)).decision
  }

  expect(await decisionOf('pay', { amount: 99.5 })).toBe('allow')
  expect(await decisionOf('pay', { amount: 101 })).toBe('deny')
  expect(await decisionOf('pay', {})).toBe('deny')
  expect(await decisionOf('pay', { amount: '1' })).toBe('deny')
  expect(await decisionOf('send', { to: 'a@good.example' })).toBe('allow')
  expect(await decisionOf('send', { to: 'a@evil.example' })).toBe('deny')
  expect(await decisionOf('send', { to: ['a@evil.example'] })).toBe('deny')
})

test.each([
  ['{ "rules": [ { "tool": "a", "decison": "allow" } ] }', 'Did you mean "decision"?'],
  ['{ "rules": [ { "tool": "a", "decision": "alow" } ] }', 'Did you mean "allow"?'],
  ['{ "rules": [ { "tool": "a" } ] }', 'Add decision: "allow", "ask" or "deny".'],
  ['{ "rule": [] }', 'Did you mean "rules"?'],
  ['{ "rules": {} }', 'Write rules: [{ … }].'],
  ['[]', 'Write { "rules": [] }.'],
  ['', 'Write { "rules": [] }.'],
  ['{ "rules": [ {"tool": "{a", "decision": "ask"} ] }', String.raw`Write \{ for the sign itself.`],
  ['{ "rules": [ {"when": "flwo.x", "decision": "ask"} ] }', 'Did you mean "flow"?'],
  ['{ "rules": [ {"when": "flow.untrustd", "decision": "ask"} ] }', 'Did you mean "untrusted"?'],
  ['{ "rules": [ {"when": "args.x.matches(args.y)", "decision": "ask"} ] }', 'Write it as'],
  ['{ "rules": [ {"when": "1 + 1", "decision": "ask"} ] }', 'Compare it'],
  ['{ "rules": [ {"args": {"p": "${home}/*"}, "decision": "ask"} ] }', '${workspaceFolder}'],
  ['{ "rules": [ {"args": {"p": {}}, "decision": "ask"} ] }', 'a number, true, false or null'],
  ['{ "rules": [ {"tool": "a", "tool": "b", "decision": "ask"} ] }', 'Keep one of them.'],
  ['{ "rules": [ {"definition": "1", "decision": "allow"} ] }', 'Write "sha256:"'],
  ['{ "rules": [], "limits": { "parallelCalls": 0 } }', 'Write a whole number from 1.'],
  ['{ "rules": [], "limits": { "paralelCalls": 1 } }', 'Did you mean "parallelCalls"?'],
  ['{ "rules": [], "trusted": "git" }', 'Write trusted: ["…"].'],
  ['{ "rules": [], "sampling": [7] }', 'Put it in quotes.'],
  ['{ "rules": [ { "tool": "a" "decision": "allow" } ] }', 'Correct the syntax'],
])('says what to write instead: %s', (text, fix) => {
  const result = readRules(text, { workspaceFolder: '/w' })

  expect(result.ok).toBe(false)
  expect(result.problems.map((problem) => problem.fix).join('\n')).toContain(fix)
})

test('tells every mistake with its line, and takes comments', () => {
  const text = `// rules
{
  "rules": [
    { "server": "git", "tool": "git_*", "decision": "allow" }, // fine
    { "sever": "git", "decision": "allow" },
    { "tool": "x", "decision": "never" },
  ],
  "limits": { "callsPerTurn": "many" },
}`

  expect(readRules(text).problems.map(({ line }) => line)).toEqual([5, 6, 8])
})

test('warns of rules that never count, and of those that allow everything', () => {
  const catchAll = readRules({
    rules: [
      { server: 'git', tool: 'git_*', decision: 'allow' },
      { tool: '*', decision: 'ask' },
    ],
  })
  const everything = readRules({ rules: [{ decision: 'allow' }] })

  expect(catchAll.ok).toBe(true)
  expect(catchAll.problems).toMatchObject([
    { level: 'warning', fix: expect.stringContaining('are asked about anyway') as string },
  ])
  expect(everything.problems).toMatchObject([{ level: 'warning' }])
})

test('reads limits and trusted servers', () => {
  const rules = rulesOf([], {
    limits: { callsPerTurn: 3, parallelCalls: 2 },
    trusted: ['git', 'x-*'],
  })

  expect(rules.limits).toEqual({ callsPerTurn: 3, parallelCalls: 2 })
  expect(['git', 'x-1', 'gi', 'y'].map((name) => rules.isTrusted(name))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('no text makes reading throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(typeof readRules(text).ok).toBe('boolean')
    }),
  )
})

test('a rule with a definition is about that one only', async () => {
  const definition = `sha256:${'0'.repeat(64)}`
  const { decideOne } = consentWith({ rules: rulesOf([{ ...allow, definition }]) })

  expect(await decideOne(proposed())).toMatchObject({ decision: 'deny', unanswered: {} })
})

test('a condition that only writes the word flow does not speak of the flow', async () => {
  const rule = { tool: '*', when: 'args.path == "flow"', ...allow }
  const { decideOne } = consentWith({ rules: rulesOf([rule]) })

  expect(await decideOne(proposed({ arguments: { path: 'flow' }, flow: mixed }))).toMatchObject({
    decision: 'deny',
  })
})

test.each([
  ['args.dry', { dry: true }, 'allow'],
  ['args.to.matches("^[a-z]+@good[.]example$")', { to: 'ada@good.example' }, 'allow'],
  ['args.to.matches("^(a+)+$")', { to: `${'a'.repeat(100_000)}!` }, 'deny'],
  ['args.dry', { dry: 'yes' }, 'deny'],
  ['args.dry', {}, 'deny'],
  ['has(args.constructor)', {}, 'deny'],
  ['args.toString == args.toString', {}, 'deny'],
])('the condition %s sees the arguments %j and nothing else', async (when, input, expected) => {
  const { decideOne } = consentWith({ rules: rulesOf([{ when, ...allow }]) })

  expect(await decideOne(proposed({ arguments: { ...input } }))).toMatchObject({
    decision: expected,
  })
})

test('says what to write where there is no folder of a project', () => {
  const rules = [{ args: { path: '${workspaceFolder}/**' }, decision: 'allow' }]

  expect(readRules({ rules }).problems).toMatchObject([{ fix: 'Write the value itself.' }])
})

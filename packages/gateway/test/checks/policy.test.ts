import type { JsonObject } from '@parley/mcp'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { policyCheck, type PolicyRule } from '../../src/checks/policy/policy.ts'
import { readPolicy } from '../../src/checks/policy/read-policy.ts'
import { callerOf, callOf, toolOf } from './requests.ts'

const writer = callerOf({ principal: 'grace', claims: { groups: ['writers'] } })
const readOnly = toolOf('log', {
  definition: { name: 'log', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
})

test('allows what a rule allows, and names what refuses the rest', () => {
  const policy = policyCheck({
    rules: ["mcp.tool.annotations.readOnlyHint || 'writers' in jwt.groups"],
  })

  expect(policy.before?.(callOf(readOnly))).toBeUndefined()
  expect(policy.before?.(callOf(toolOf('push'), {}, writer))).toBeUndefined()
  expect(policy.before?.(callOf(toolOf('push')))).toEqual({
    rejected: true,
    rule: 'policy: no rule allows it',
    message:
      'the policy refuses tools/call of "git__push": no rule allows it ("rule 1": No such key: groups). Ask the operator of this gateway for access',
  })
  expect(policy.shows?.(callerOf(), readOnly)).toBe(true)
  expect(policy.shows?.(callerOf(), toolOf('push'))).toBe(false)
})

test('denies over allowing, whatever the order', () => {
  const deny: PolicyRule = { name: 'no pushes', when: 'mcp.tool.name == "push"', decision: 'deny' }

  for (const rules of [
    [deny, 'true'],
    ['true', deny],
  ]) {
    const policy = policyCheck({ rules })
    expect(policy.before?.(callOf(toolOf('push')))).toMatchObject({
      rule: 'policy: no pushes',
      message: 'the policy refuses tools/call of "git__push" by "no pushes"',
    })
    expect(policy.before?.(callOf(toolOf('log')))).toBeUndefined()
  }
})

test('only rules that deny leave the rest allowed', () => {
  const policy = policyCheck({ rules: [{ when: 'upstream == "prod"', decision: 'deny' }] })

  expect(policy.before?.(callOf(toolOf('a')))).toBeUndefined()
  expect(policy.shows?.(callerOf(), toolOf('a', { upstream: 'prod' }))).toBe(false)
})

test('a rule that cannot be evaluated lets nothing through, and says why', () => {
  const deny = policyCheck({
    rules: [{ name: 'd', when: 'args.path.startsWith("/etc")', decision: 'deny' }],
  })
  const allow = policyCheck({ rules: ['args.path.startsWith("/srv")'] })

  expect(deny.before?.(callOf(toolOf('read'), { path: 5 }))).toMatchObject({
    message: expect.stringContaining('by "d", which cannot be evaluated'),
  })
  expect(deny.before?.(callOf(toolOf('read')))).toMatchObject({ rejected: true })
  expect(allow.before?.(callOf(toolOf('read')))).toMatchObject({
    message: expect.stringContaining('No such key: path'),
  })
})

test.each([
  ['admin and args', 'jwt.admin == true && args.path == "/srv"', { admin: false }, false],
  ['admin and args', 'jwt.admin == true && args.path == "/srv"', { admin: true }, true],
  ['args first', 'args.path == "/srv" && jwt.admin == true', { admin: false }, false],
  ['admin or args', 'jwt.admin == true || args.path == "/srv"', { admin: false }, true],
  ['has', 'has(args.path)', {}, true],
  ['not', '!(args.force)', {}, true],
  ['optional', 'args.?force.orValue(false) == false', {}, true],
])('a list shows what arguments might still allow: %s, %s, %o', (_, when, claims, isShown) => {
  const policy = policyCheck({ rules: [when] })

  expect(policy.shows?.(callerOf({ claims }), toolOf('write'))).toBe(isShown)
})

test('a list keeps what only some arguments deny, and hides what is denied whatever they are', () => {
  const policy = policyCheck({
    rules: [
      { when: 'mcp.tool.name == "rm" && (caller.isAnonymous || args.force)', decision: 'deny' },
    ],
  })

  expect(policy.shows?.(callerOf(), toolOf('rm'))).toBe(true)
  expect(policy.shows?.(callerOf({ isAnonymous: true }), toolOf('rm'))).toBe(false)
  expect(policy.before?.(callOf(toolOf('rm'), { force: true }))).toMatchObject({ rejected: true })
})

test('explains a decision rule by rule', () => {
  const policy = policyCheck({
    rules: [
      { name: 'office hours', when: 'time.getHours() < 8', decision: 'deny' },
      { name: 'readers', when: 'mcp.tool.annotations.readOnlyHint' },
      { name: 'writers', when: '"writers" in jwt.groups' },
    ],
    now: () => new Date('2026-01-05T12:00:00Z'),
  })

  expect(policy.explain(callOf(toolOf('push'), {}, writer))).toMatchObject({
    decision: 'allow',
    rule: 'writers',
    trace: [
      { rule: 'office hours', decision: 'deny', result: 'false' },
      { rule: 'readers', decision: 'allow', result: 'false' },
      { rule: 'writers', decision: 'allow', result: 'true' },
    ],
  })
})

test('knows prompts and resources, with nothing in place of what a request is not about', () => {
  const policy = policyCheck({
    rules: [
      { when: 'mcp.tool.name == "push"', decision: 'deny' },
      'mcp.kind == "resource" && mcp.resource.normalizedUri.startsWith("file:///srv/")',
      'mcp.prompt.name == "review"',
    ],
  })
  const resource = (name: string) => ({
    ...callOf(toolOf('x', { kind: 'resource', name, exposedName: name })),
    method: 'resources/read',
  })

  expect(policy.before?.(resource('file:///srv/a.txt'))).toBeUndefined()
  expect(policy.before?.(resource('file:///srv/../etc/passwd'))).toMatchObject({ rejected: true })
  expect(policy.before?.(resource('file:///srv/%2e%2e/etc/passwd'))).toMatchObject({
    rejected: true,
  })
  expect(policy.before?.(callOf(toolOf('review', { kind: 'prompt' })))).toBeUndefined()
})

test.each([
  ['half an expression', '1 +', 'Unexpected token: EOF at column 4'],
  ['an unknown variable', 'user.name == "x"', 'Unknown variable: user at column 1'],
  ['a number', '1 + 1', 'the expression gives int'],
  ['a wrong member', 'mcp.tol.name == "x"', 'mcp has no member "tol"'],
  ['an inherited member', 'caller.toString == "x"', 'caller has no member "toString"'],
  [
    'a pattern from arguments',
    'args.s.matches(args.p)',
    'matches() has a pattern that is not plain text',
  ],
  [
    'a pattern from a variable',
    'mcp.tool.name.matches(upstream)',
    'matches() has a pattern that is not plain text',
  ],
  ['a look-ahead', 'args.s.matches("(?=a)")', 'the pattern "(?=a)" needs backtracking'],
  ['no pattern at all', 'args.s.matches("(")', 'the pattern "(" is not a valid regular expression'],
  [
    'three loops',
    'args.a.all(x, args.a.all(y, args.a.all(z, x + y == z)))',
    '3 loops stand inside each other',
  ],
  ['too many brackets', `${'('.repeat(100)}true${')'.repeat(100)}`, ''],
  ['too many parts', Array.from({ length: 600 }, () => 'true').join(' || '), ''],
  ['too long a text', `"${'x'.repeat(5_000)}" == upstream`, 'the expression has 5014 characters'],
])('%s is a mistake in the configuration', (_, when, message) => {
  const { rules, problems } = readPolicy(['true', { name: 'mine', when }])

  expect(rules).toHaveLength(1)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatchObject({ path: ['policy', 1, 'when'] })
  expect(problems[0]?.message).toContain(message)
  expect(problems[0]?.fix).not.toBe('')
  expect(() => policyCheck({ rules: [when] })).toThrow(TypeError)
})

test.each([
  [{ when: 'true', decision: 'maybe' }, ['policy', 0, 'decision']],
  [{ decision: 'deny' }, ['policy', 0]],
  [{ tool: '{a', decision: 'deny' }, ['policy', 0, 'tool']],
  [{ args: { path: {} } }, ['policy', 0, 'args', 'path']],
  [{ when: 'true', unless: 'x' }, ['policy', 0, 'unless']],
  [{ when: 'true', name: '' }, ['policy', 0, 'name']],
  [5, ['policy', 0]],
  [null, ['policy', 0]],
])('a rule written as %o is told with its place', (given, path) => {
  expect(readPolicy([given]).problems).toMatchObject([{ path }])
  expect(readPolicy('true').problems).toMatchObject([{ path: ['policy'] }])
})

test.each([
  [{ server: 'git', tool: 'log' }, 'allow'],
  [{ server: 'gi?', tool: '{log,status}' }, 'allow'],
  [{ tool: 'l*', when: 'tool.readOnly && server.name == "git"' }, 'allow'],
  [{ args: { path: '/srv/**' } }, 'allow'],
  [{ tool: 'log', args: { path: '/etc/*' } }, 'deny'],
  [{ tool: 'Log' }, 'deny'],
  [{ server: 'docs' }, 'deny'],
  [{ tool: 'log', when: 'tool.destructive' }, 'deny'],
])('takes the rules of hosts: %j', (rule, expected) => {
  const policy = policyCheck({ rules: [rule] })

  const { decision } = policy.explain(callOf(readOnly, { path: '/srv/a/b' }))

  expect(decision).toBe(expected)
})

test('a rule of names and arguments that denies is not escaped by another spelling', () => {
  const policy = policyCheck({
    rules: [
      { tool: 'l\u043eg', decision: 'deny' },
      { tool: 'send', args: { path: '/etc/*' }, decision: 'deny' },
    ],
  })
  const send = toolOf('send')

  expect(policy.explain(callOf(readOnly, {})).decision).toBe('deny')
  expect(policy.explain(callOf(send, { path: '/srv/%2e%2e/etc/passwd' })).decision).toBe('deny')
  expect(policy.explain(callOf(send, { path: '/srv/a' })).decision).toBe('allow')
  expect(policy.shows?.(callerOf(), send)).toBe(true)
})

test('patterns search, and hostile texts do not slow them', () => {
  const policy = policyCheck({
    rules: ['args.s.matches("(a+)+$") || args.s.matches("^[0-9]{3}$")'],
  })

  expect(policy.before?.(callOf(toolOf('t'), { s: 'baa' }))).toBeUndefined()
  expect(policy.before?.(callOf(toolOf('t'), { s: '123' }))).toBeUndefined()
  // With backtracking this would not end.
  expect(policy.before?.(callOf(toolOf('t'), { s: `${'a'.repeat(200_000)}!` }))).toMatchObject({
    rejected: true,
  })
})

test('loops over large arguments are refused before they are run', () => {
  const policy = policyCheck({ rules: ['args.l.all(a, args.l.all(b, a + b >= 0))'] })
  const numbers = (length: number) => Array.from({ length }, (_, index) => index)

  expect(policy.before?.(callOf(toolOf('t'), { l: numbers(100) }))).toBeUndefined()
  expect(policy.before?.(callOf(toolOf('t'), { l: numbers(50_000) }))).toMatchObject({
    message: expect.stringContaining('too large for its loops'),
  })
})

test('arguments that are too many or too deep are refused, not looked at', () => {
  const policy = policyCheck({ rules: [{ when: 'args.x == 1', decision: 'deny' }] })
  let deep: JsonObject = {}
  for (let depth = 0; depth < 5_000; depth += 1) deep = { deep }

  expect(
    policy.before?.(callOf(toolOf('t'), { l: Array.from({ length: 200_000 }, () => 1) })),
  ).toMatchObject({
    message: expect.stringContaining('more than 100000 values'),
  })
  expect(policy.before?.(callOf(toolOf('t'), deep))).toMatchObject({ rejected: true })
})

test('members named as parts of a prototype are members like any other', () => {
  const rules: PolicyRule[] = [
    { name: 'admin', when: 'has(args.admin) && args.admin == true', decision: 'deny' },
    { name: 'inherited', when: 'has(args.toString) || "valueOf" in args', decision: 'deny' },
    { name: 'path', when: '!args.path.startsWith("/srv/")', decision: 'deny' },
  ]
  const policy = policyCheck({ rules })
  const given = JSON.parse(
    '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"path":"/srv/x"}',
  ) as JsonObject

  expect(policy.before?.(callOf(toolOf('t'), given))).toBeUndefined()
  const nested = policyCheck({ rules: ['args.o.x == 1'] })
  const inside: JsonObject = { o: { x: 1, constructor: 'y' } }
  expect(nested.before?.(callOf(toolOf('t'), inside))).toBeUndefined()
  expect(
    policyCheck({ rules: ['args.constructor.prototype.admin'] }).before?.(
      callOf(toolOf('t'), given),
    ),
  ).toBeUndefined()
  expect(policy.before?.(callOf(toolOf('t'), { path: '/etc', constructor: 'x' }))).toMatchObject({
    rule: 'policy: path',
  })
})

test('hints of a hostile tool count only as the specification writes them', () => {
  const policy = policyCheck({
    rules: ['mcp.tool.annotations.readOnlyHint && !mcp.tool.annotations.destructiveHint'],
  })
  const tool = (annotations: unknown) =>
    toolOf('t', {
      definition: { name: 't', inputSchema: { type: 'object' }, annotations } as never,
    })

  expect(policy.shows?.(callerOf(), tool({ readOnlyHint: true, destructiveHint: false }))).toBe(
    true,
  )
  for (const hints of [
    'yes',
    null,
    [],
    { readOnlyHint: 'true' },
    { readOnlyHint: true, destructiveHint: 0 },
  ]) {
    expect(policy.shows?.(callerOf(), tool(hints))).toBe(false)
  }
})

test('letters that look alike are other letters', () => {
  const policy = policyCheck({ rules: ['mcp.tool.name == "delete"'] })

  expect(policy.before?.(callOf(toolOf('delete')))).toBeUndefined()
  for (const name of ['dеlete', 'delete\u200b', 'DELETE', 'delete ', '\u202edelete', 'ｄelete']) {
    expect(policy.before?.(callOf(toolOf(name)))).toMatchObject({ rejected: true })
  }
})

test('what denies never loses to what allows, and an error never allows', () => {
  const clause = fc.constantFrom(
    'true',
    'false',
    'args.x == 1',
    'args.missing.y == 1',
    'mcp.tool.name == "a"',
    'jwt.nothing == 1',
    '"w" in jwt.groups',
  )
  const rule = fc.record({
    when: clause,
    decision: fc.constantFrom('allow' as const, 'deny' as const),
  })
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 6 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 2 }),
      (rules, isWriter, x) => {
        const policy = policyCheck({ rules })
        const caller = callerOf({ claims: isWriter ? { groups: ['w'] } : {} })
        const request = callOf(toolOf('a'), { x }, caller)
        const truth = new Map<string, boolean | undefined>([
          ['true', true],
          ['false', false],
          ['args.x == 1', x === 1],
          ['mcp.tool.name == "a"', true],
          ['"w" in jwt.groups', isWriter ? true : undefined],
        ])
        const denied = rules.some(
          ({ when, decision }) => decision === 'deny' && truth.get(when) !== false,
        )
        const allowing = rules.filter(({ decision }) => decision === 'allow')
        const allowed =
          allowing.length === 0 || allowing.some(({ when }) => truth.get(when) === true)

        expect(policy.before?.(request) === undefined).toBe(!denied && allowed)
        // What may be called is shown.
        if (!denied && allowed) expect(policy.shows?.(caller, request.subject)).toBe(true)
      },
    ),
    { numRuns: tries(300), seed: Number(process.env['FC_SEED'] ?? 11) },
  )
})

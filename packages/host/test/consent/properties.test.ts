import {
  createMemoryConsentStore,
  type ConsentAnswer,
  type ConsentDecision,
  type ProposedCall,
} from '@parley/host'
import type { JsonObject } from '@parley/mcp'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { consentWith, proposed, rulesOf, toolNamed } from './proposed.ts'

const names = ['fs', 'git', 'write_file', 'read', 'a*']
const pattern = fc.constantFrom('*', 'fs', 'git', 'g*', '{fs,git}', 'write_*', 'read', '??', 'FS')
const path = fc.constantFrom('/w/a', '/etc/x', '/w/../etc/x', '/w/%2e%2e/etc', '/ETC/x', 'etc')

const rule = fc.record(
  {
    server: pattern,
    tool: pattern,
    args: fc.constantFrom({ path: '/w/**' }, { path: '/etc/**' }, { path: '*' }),
    when: fc.constantFrom(
      'flow.untrusted',
      '!flow.private',
      'tool.readOnly',
      '!tool.readOnly',
      'args.path.startsWith("/w")',
      'call.by == "app"',
    ),
    decision: fc.constantFrom('allow', 'ask', 'deny'),
  },
  { requiredKeys: ['decision'] },
)

const call: fc.Arbitrary<ProposedCall> = fc
  .record({
    server: fc.constantFrom(...names),
    serverHash: fc.constantFrom('s1', 's2'),
    tool: fc
      .record({
        name: fc.constantFrom(...names),
        description: fc.constantFrom('one', 'two'),
        annotations: fc.record({ readOnlyHint: fc.boolean(), openWorldHint: fc.boolean() }),
      })
      .map(({ name, ...rest }) => toolNamed(name, rest)),
    arguments: fc.record({ path }, { requiredKeys: [] }),
    flow: fc.record({ untrusted: fc.boolean(), private: fc.boolean() }),
    by: fc.constantFrom('model' as const, 'app' as const, 'person' as const),
  })
  .map((parts) => proposed(parts))

const answer: fc.Arbitrary<ConsentAnswer> = fc.record(
  {
    decision: fc.constantFrom('allow', 'deny'),
    remember: fc.constantFrom('once', 'session', 'always'),
    scope: fc.constantFrom('tool', 'server'),
    arguments: fc.record({ path }),
  },
  { requiredKeys: ['decision'] },
)

const rules = fc.array(rule, { maxLength: 6 })
const noLinks = { realPath: () => undefined }

function toRules(list: readonly JsonObject[], trusted: readonly string[] = []) {
  return rulesOf(list, { trusted: [...trusted] }, noLinks)
}

/** What rules alone say: allowed, refused, or a question that nobody answers. */
async function verdictOf(list: readonly JsonObject[], one: ProposedCall): Promise<string> {
  return ruleResult(await consentWith({ rules: toRules(list) }).decideOne(one))
}

function ruleResult(decision: ConsentDecision): string {
  if (decision.decision === 'allow') return 'allow'
  return decision.unanswered === undefined ? 'deny' : 'ask'
}

test('the order of rules never matters', async () => {
  await fc.assert(
    fc.asyncProperty(rules, call, fc.nat(), async (list, one, seed) => {
      const turned = list
        .map((each, at) => ({ each, key: (at * 7919 + seed) % 13 }))
        .toSorted((left, right) => left.key - right.key)
        .map(({ each }) => each)

      expect(await verdictOf(turned, one)).toBe(await verdictOf(list, one))
      expect(await verdictOf(list.toReversed(), one)).toBe(await verdictOf(list, one))
    }),
  )
})

test('deny never loses: more rules, answers and memories only keep it', async () => {
  await fc.assert(
    fc.asyncProperty(rules, rules, call, answer, async (list, more, one, said) => {
      fc.pre((await verdictOf(list, one)) === 'deny')
      const { consent } = consentWith({
        rules: toRules([...more, ...list]),
        ask: async (questions) => questions.map(() => said),
      })

      const decisions = await consent.decide([one, one], new AbortController().signal)

      expect(decisions.map(ruleResult)).toEqual(['deny', 'deny'])
    }),
  )
})

test('an ask rule is never outweighed by allow rules', async () => {
  await fc.assert(
    fc.asyncProperty(rules, rules, call, async (list, more, one) => {
      fc.pre(one.by !== 'person' && list.some(({ decision }) => decision === 'ask'))
      const asking = list.filter(({ decision }) => decision === 'ask')
      const before = await verdictOf(asking, one)
      const { asked, consent } = consentWith({
        rules: toRules([...asking, ...more.filter(({ decision }) => decision === 'allow')]),
        ask: async () => [{ decision: 'deny' }],
      })
      const reason = (await consentWith({ rules: toRules(asking) }).decideOne(one)).rule

      await consent.decide([one], new AbortController().signal)

      expect(before).toBe('ask')
      if (reason.includes('asked (rule')) expect(asked).toHaveLength(1)
    }),
  )
})

test('what servers claim of their tools never loosens, unless they are trusted [TUI-07]', async () => {
  const strength = { allow: 0, ask: 1, deny: 2 } as const
  const silent = { readOnlyHint: false, openWorldHint: true, destructiveHint: true }
  await fc.assert(
    fc.asyncProperty(rules, call, async (list, one) => {
      const worst = { ...one, tool: { ...one.tool, annotations: silent } }
      const claimed = await verdictOf(list, one)
      const feared = await verdictOf(list, worst)
      fc.pre(!one.flow.untrusted) // then claims of danger count by themselves

      // Stricter or the same; keys are those of the verdicts.
      expect(strength[claimed as 'ask']).toBeGreaterThanOrEqual(strength[feared as 'ask'])
    }),
  )
})

test('no decision without a record, in the same order and with the same words', async () => {
  await fc.assert(
    fc.asyncProperty(
      rules,
      fc.array(call, { maxLength: 5 }),
      fc.array(answer, { minLength: 5, maxLength: 5 }),
      fc.boolean(),
      async (list, calls, answers, isSomebodyThere) => {
        const { consent, records } = consentWith({
          rules: toRules(list),
          ask: isSomebodyThere
            ? async (questions) => answers.slice(0, questions.length)
            : undefined,
        })

        const decisions = await consent.decide(calls, new AbortController().signal)

        const written = records.filter(({ type }) => type === 'decision')
        expect(written.map(({ decision, rule: why }) => [decision, why])).toEqual(
          decisions.map(({ decision, rule: why }) => [decision, why]),
        )
      },
    ),
  )
})

test('changed arguments never escape a rule that forbids', async () => {
  await fc.assert(
    fc.asyncProperty(rules, call, path, async (list, one, edited) => {
      const { decideOne } = consentWith({
        rules: toRules(list),
        ask: async () => [{ decision: 'allow', arguments: { path: edited } }],
      })

      const decision = await decideOne(one)

      if (decision.decision === 'deny' || decision.arguments === undefined) return
      const again = { ...one, arguments: decision.arguments }
      expect(await verdictOf(list, again)).not.toBe('deny')
    }),
  )
})

test('a definition that is not the one allowed before is never run without asking [TUI-06]', async () => {
  const steps = fc.array(fc.tuple(call, answer), { minLength: 2, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(rules, steps, async (list, calls) => {
      let said: ConsentAnswer = { decision: 'deny' }
      const { decideOne, asked } = consentWith({
        rules: toRules(list),
        remembered: createMemoryConsentStore(),
        ask: async () => [{ ...said, arguments: undefined }],
      })
      const allowed = new Map<string, string>()

      for (const [one, next] of calls.filter(([{ by }]) => by !== 'person')) {
        said = next
        const before = asked.length
        const { decision } = await decideOne(one)
        const key = `${one.server} ${one.serverHash} ${one.tool.name}`
        const definition = JSON.stringify(one.tool)
        const known = allowed.get(key)
        if (decision !== 'allow') continue
        if (known !== undefined && known !== definition) expect(asked.length).toBe(before + 1)
        allowed.set(key, definition)
      }
    }),
  )
})

test('the rule that a refusal names allows the call, unless it says what stands against it', async () => {
  const history = fc.array(call, { maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(rules, history, call, async (list, before, one) => {
      const remembered = createMemoryConsentStore()
      const always = async () => [{ decision: 'allow', remember: 'always' } as const]
      const past = consentWith({ rules: toRules(list), remembered, ask: always })
      for (const each of before) await past.decideOne(each)

      const decision = await consentWith({ rules: toRules(list), remembered }).decideOne(one)

      fc.pre(decision.decision === 'deny' && decision.unanswered !== undefined)
      if (decision.decision !== 'deny' || decision.message.includes('taken out of')) return
      const more = [...list, decision.unanswered?.ruleThatAllows ?? {}]
      const again = await consentWith({ rules: toRules(more), remembered }).decideOne(one)
      expect(again).toMatchObject({ decision: 'allow' })
    }),
  )
})

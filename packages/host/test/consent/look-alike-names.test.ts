import { explainRules, type ConsentRuleDecision } from '@parley/host'
import { expect, test } from 'vitest'

import { proposed, rulesOf, toolNamed } from './proposed.ts'

function decisionOn(name: string, decision: ConsentRuleDecision, pattern: string) {
  const rules = rulesOf([
    { tool: '*', decision: decision === 'allow' ? 'ask' : 'allow' },
    { tool: pattern, decision },
  ])
  return explainRules(proposed({ tool: toolNamed(name) }), rules).rules[1]
}

test.each([
  ['delete_*', 'delete_all'],
  ['delete_*', 'DELETE_ALL'],
  ['delete_*', 'dеlete_all'], // a Cyrillic letter
  ['delete_*', 'del\u200bete_all'],
  ['delete_*', 'ｄｅｌｅｔｅ＿ａｌｌ'],
  ['delete_*', 'dé\u0301lete_all'],
  ['*_push', 'git_рush'], // a Cyrillic letter
  ['{rm,mv}', 'r\u202em'],
  ['log1?', 'logl\u200b5'],
])('a rule that asks or forbids %s is about %s', (pattern, name) => {
  expect(decisionOn(name, 'deny', pattern)).toMatchObject({ matches: true })
  expect(decisionOn(name, 'ask', pattern)).toMatchObject({ matches: true })
})

test.each([
  ['read_file', 'rеad_file'], // a Cyrillic letter
  ['read_file', 'read_file\u200b'],
  ['read_file', 'READ_FILE'],
  ['read_fil?', 'rеad_file'], // a Cyrillic letter
])('a rule that allows %s is not about %s', (pattern, name) => {
  expect(decisionOn(name, 'allow', pattern)).toMatchObject({
    matches: false,
    because: 'it is about other tools',
  })
})

test('a rule that forbids a name is not about another one', () => {
  expect(decisionOn('modern', 'deny', 'modem')).toMatchObject({ matches: false })
  expect(decisionOn('delete_all', 'deny', 'delete')).toMatchObject({ matches: false })
})

import { describe, expect, test } from 'vitest'

import { judgeScenario, type SuiteCheck } from '../../../src/check/public-suite/scenario.ts'

const schema: SuiteCheck = { id: 'wire-schema-valid', status: 'SUCCESS' }
const passed: SuiteCheck = { id: 'ping', status: 'SUCCESS' }
const failed: SuiteCheck = {
  id: 'tools-call-image',
  status: 'FAILURE',
  description: 'Tool returns image content',
  errorMessage: 'no image',
  specReferences: [{ url: 'https://example.com/tools' }],
}
const everything = new Set(['test_image_content'])

test('a scenario whose checks succeed is kept', () => {
  expect(judgeScenario('ping', [passed, schema], everything)).toEqual({ kind: 'kept', checks: 2 })
})

test('a check that fails comes with what was seen, the rule, and where it stands', () => {
  expect(judgeScenario('tools-call-image', [failed, schema], everything)).toEqual({
    kind: 'broken',
    broken: [
      {
        id: 'tools-call-image',
        level: 'MUST',
        rule: 'Tool returns image content',
        seen: 'no image',
        reference: 'https://example.com/tools',
      },
    ],
  })
})

test('a warning is about what should be', () => {
  const verdict = judgeScenario('ping', [{ ...passed, status: 'WARNING' }], everything)

  expect(verdict).toMatchObject({ kind: 'broken', broken: [{ level: 'SHOULD' }] })
})

test('a message that is not valid counts whatever the scenario needed', () => {
  const verdict = judgeScenario('tools-call-image', [{ ...schema, status: 'FAILURE' }], new Set())

  expect(verdict).toMatchObject({ kind: 'broken', broken: [{ id: 'wire-schema-valid' }] })
})

describe('what a server does not have is not tried', () => {
  test.each([
    ['a tool that only the suite calls', 'tools-call-image', failed, 'test_image_content'],
    ['also if its refusal looks right', 'tools-call-error', passed, 'test_error_handling'],
    ['an optional part', 'prompts-list', { ...failed, id: 'prompts-list' }, 'capability prompts'],
  ])('%s', (_, scenario, check, missing) => {
    const why = `the server has no ${missing}`

    expect(judgeScenario(scenario, [check, schema], new Set())).toEqual({ kind: 'skipped', why })
  })

  test('one check of many', () => {
    const hints = { ...failed, id: 'sep-2549-prompts-list-caching-hints' }

    expect(judgeScenario('caching', [passed, hints], new Set()).kind).toBe('kept')
    expect(judgeScenario('caching', [passed, hints], new Set(['capability prompts'])).kind).toBe(
      'broken',
    )
  })

  test('what the suite itself calls untestable', () => {
    const untestable = { ...failed, errorMessage: 'Not testable', details: { untestable: true } }

    expect(judgeScenario('server-stateless', [untestable], undefined)).toEqual({
      kind: 'skipped',
      why: 'Not testable',
    })
  })

  test('unless nobody knows what it has', () => {
    expect(judgeScenario('tools-call-image', [failed], undefined).kind).toBe('broken')
  })
})

test('a scenario without a check shows nothing', () => {
  expect(judgeScenario('new', [schema], everything)).toEqual({
    kind: 'skipped',
    why: 'the suite checked nothing',
  })
})

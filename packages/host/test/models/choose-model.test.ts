import { chooseModel, type ModelCandidate, createScriptedModel } from '@parley/host/models'
import { expect, test } from 'vitest'

const models: readonly ModelCandidate[] = [
  { name: 'openai/gpt-5' },
  { name: 'anthropic/claude-sonnet-4-5' },
  { name: 'anthropic/claude-haiku-4-5' },
  { name: 'anthropic/claude-opus-4-1' },
  { name: 'ollama/llama3' },
]

test('tries hints in order, and the first that fits wins [SAMP-13]', () => {
  expect(nameFor({ hints: [{ name: 'unknown' }, { name: 'sonnet' }] })).toMatch(/sonnet/)
  expect(nameFor({ hints: [{ name: 'haiku' }, { name: 'sonnet' }] })).toMatch(/haiku/)
})

test('a hint outranks every priority, which decide among those that fit it [SAMP-14, SAMP-21]', () => {
  const cheap = { costPriority: 1, speedPriority: 1 }
  const clever = { intelligencePriority: 1 }

  expect(nameFor({ hints: [{ name: 'opus' }], ...cheap })).toMatch(/opus/)
  expect(nameFor({ hints: [{ name: 'claude' }], ...cheap })).toMatch(/haiku/)
  expect(nameFor({ hints: [{ name: 'claude' }], ...clever })).toMatch(/opus/)
  expect(nameFor({ hints: [{ name: 'claude' }] })).toMatch(/sonnet/)
})

test('a hint is any part of a name, in any case [SAMP-15]', () => {
  for (const name of ['claude-sonnet', 'sonnet-4', 'SONNET', 'anthropic/claude-sonnet-4-5']) {
    expect(nameFor({ hints: [{ name }] })).toBe('anthropic/claude-sonnet-4-5')
  }
})

test('empty hints decide nothing', () => {
  const cheap = { costPriority: 1 }

  expect(nameFor({ hints: [{ name: ' ' }, {}], ...cheap })).toBe('ollama/llama3')
})

test('priorities choose among all when no hint fits, by ratings of the user if there are any', () => {
  const rated = [
    { name: 'a', ratings: { cost: 1, intelligence: 0.9 } },
    { name: 'b', ratings: { cost: 0, intelligence: 0.1 } },
    { name: 'c', ratings: { cost: 0, intelligence: 0.1 } },
  ]

  expect(chooseModel(rated, { costPriority: 0.9, intelligencePriority: 0.1 })?.name).toBe('b')
  expect(chooseModel(rated, { costPriority: 0.1, intelligencePriority: 0.9 })?.name).toBe('a')
  expect(chooseModel(rated)?.name).toBe('a')
  expect(nameFor({ speedPriority: 1 })).toMatch(/haiku/)
})

test('returns what it was given, and nothing for no models', () => {
  const model = createScriptedModel()

  expect(chooseModel([model], { hints: [{ name: 'scripted' }] })).toBe(model)
  expect(chooseModel([])).toBeUndefined()
})

function nameFor(preferences: Parameters<typeof chooseModel>[1]): string | undefined {
  return chooseModel(models, preferences)?.name
}

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { substitute, type VariableSources } from '../../src/config/variables/variables.ts'

function sourcesWith(env: { readonly [name: string]: string }): VariableSources {
  const none = () => undefined
  return {
    env: (name) => env[name],
    input: none,
    secret: none,
    file: none,
    workspaceFolder: none,
    words: {},
  }
}

test('text without variables stays as it is', async () => {
  const plain = fc.string().filter((text) => !/\$\{[^{}]*\}/.test(text))
  await fc.assert(
    fc.asyncProperty(plain, async (text) => {
      expect(await substitute(text, sourcesWith({}))).toEqual({ ok: true, text })
    }),
  )
})

test('a value is put in once, whatever it holds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.string(), fc.string(), async (before, value, after) => {
      fc.pre(!/[${}]/.test(before + after))
      const filled = await substitute(`${before}\${A}${after}`, sourcesWith({ A: value }))
      expect(filled).toEqual({ ok: true, text: before + value + after })
    }),
  )
})

test('an empty value is a value, but not where there is a default', async () => {
  const sources = sourcesWith({ EMPTY: '' })

  expect(await substitute('[${EMPTY}]', sources)).toMatchObject({ text: '[]' })
  expect(await substitute('[${EMPTY:-x}]', sources)).toMatchObject({ text: '[x]' })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { isReservedMetaKey, metaKeyProblem } from '../../src/schema/metadata.ts'

describe('a key of _meta', () => {
  test.each(['name', 'com.example/name', 'a/b', 'progressToken'])(
    'is an optional prefix and a name: %s [META-04]',
    (key) => {
      expect(metaKeyProblem(key)).toBeUndefined()
    },
  )

  test.each(['com.example/a/b', '/name', 'a//b'])(
    'has one slash, after a prefix: %s [META-05]',
    (key) => {
      expect(metaKeyProblem(key)).toBeDefined()
    },
  )

  test.each(['a-1.b/x', 'a/x', 'A.B9/x', 'a--b/x'])(
    'may have the prefix of %s [META-06]',
    (key) => {
      expect(metaKeyProblem(key)).toBeUndefined()
    },
  )

  test.each(['1a/x', 'a-/x', '-a/x', 'a..b/x', '.a/x', 'a./x', 'a_b/x', 'ä/x', 'a b/x', 'a\n/x'])(
    'may not have the prefix of %j [META-06]',
    (key) => {
      expect(metaKeyProblem(key)).toMatch('each label before the slash begins with a letter')
    },
  )

  test.each(['-a', 'a-', '_a', 'a.', '.a', 'com.example/-a', 'a ', 'a\n', 'é'])(
    'may not have the name of %j [META-08]',
    (key) => {
      expect(metaKeyProblem(key)).toMatch('the name begins and ends with a letter or digit')
    },
  )

  test.each(['a-b_c.d', '0', '9a', 'a..b', 'com.example/', '', 'com.example/A.1'])(
    'may have the name of %j [META-09]',
    (key) => {
      expect(metaKeyProblem(key)).toBeUndefined()
    },
  )

  test('built by the grammar has no problem [META-04] [META-06] [META-09]', () => {
    const label = fc.stringMatching(/^[a-zA-Z]([a-zA-Z0-9-]{0,8}[a-zA-Z0-9])?$/)
    const name = fc.stringMatching(/^([a-zA-Z0-9]([a-zA-Z0-9._-]{0,8}[a-zA-Z0-9])?)?$/)

    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), name, (labels, last) => {
        expect(metaKeyProblem(`${labels.join('.')}/${last}`)).toBeUndefined()
        expect(metaKeyProblem(last)).toBeUndefined()
      }),
    )
  })
})

describe('a prefix', () => {
  test.each([
    'modelcontextprotocol.io/',
    'mcp.dev/x',
    'api.modelcontextprotocol.org/x',
    'tools.mcp.com/x',
    'MCP.dev/x',
    'a.b.mcp.c/x',
    'a.b.modelcontextprotocol.c.d/x',
  ])('with mcp or modelcontextprotocol before another label is reserved: %s [META-07]', (key) => {
    expect(isReservedMetaKey(key)).toBe(true)
  })

  test.each(['mcp/x', 'mcp/', 'modelcontextprotocol/x'])(
    'that is nothing else is reserved: %s [DEC-23]',
    (key) => {
      expect(isReservedMetaKey(key)).toBe(true)
    },
  )

  test.each(['io.modelcontextprotocol/x', 'com.mcp/x', 'com.mcp.tools/x'])(
    'with either as second label is reserved: %s [N11-META-02]',
    (key) => {
      expect(isReservedMetaKey(key)).toBe(true)
    },
  )

  test.each([
    'com.example/x',
    'com.example/mcp',
    'mcp',
    'modelcontextprotocol',
    'mcpx.dev/x',
    '',
    'com.example.mcp/x',
  ])('of anyone else is free: %j [META-07]', (key) => {
    expect(isReservedMetaKey(key)).toBe(false)
  })
})

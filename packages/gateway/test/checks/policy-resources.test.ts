import type { CheckedRequest } from '@parley/gateway'
import { describe, expect, test } from 'vitest'

import { policyCheck } from '../../src/checks/policy/policy.ts'
import { callerOf, callOf, toolOf } from './requests.ts'

const reading = (name: string): CheckedRequest => ({
  ...callOf(toolOf('x', { kind: 'resource', name, exposedName: name })),
  method: 'resources/read',
})

describe.each(['uri', 'normalizedUri', 'name', 'exposedName'])(
  'a rule on mcp.resource.%s',
  (name) => {
    const when = `mcp.resource.${name}.startsWith("file:///etc/")`
    const policy = policyCheck({ rules: [{ when, decision: 'deny' }] })

    test.each([
      'file:///etc/passwd',
      'file:///%65tc/passwd',
      'file:////etc/passwd',
      'file:///srv/%2e%2e/etc/passwd',
    ])('knows %s in its other spellings', (uri) => {
      expect(policy.before?.(reading(uri))).toMatchObject({
        rejected: true,
        rule: 'policy: rule 1',
      })
    })

    test.each(['file:///etc%2fpasswd', 'file:///srv/..%2fetc/passwd', 'file://x/etc/passwd'])(
      'refuses %s, which can be read in two ways',
      (uri) => {
        expect(policy.before?.(reading(uri))).toMatchObject({
          rejected: true,
          rule: 'policy: the request cannot be checked',
          message: expect.stringContaining('write it without encoded slashes') as string,
        })
        expect(policy.shows?.(callerOf(), reading(uri).subject)).toBe(false)
      },
    )

    test('lets other resources pass', () => {
      expect(policy.before?.(reading('file:///srv/a%20b'))).toBeUndefined()
    })
  },
)

test('a URI in two ways passes where no rule looks at resources', () => {
  const policy = policyCheck({ rules: [{ when: 'mcp.tool.name == "push"', decision: 'deny' }] })

  expect(policy.before?.(reading('notes:///a%2Fb'))).toBeUndefined()
})

test.each(['mcp.resource.mimeType == ""', '"resource" in mcp', 'mcp["resource"].uri == ""'])(
  'a rule that looks at resources by %s refuses such a URI',
  (when) => {
    expect(policyCheck({ rules: [when] }).before?.(reading('notes:///a%2Fb'))).toMatchObject({
      rule: 'policy: the request cannot be checked',
    })
  },
)

test('the pattern of a template is shown to rules as it is written', () => {
  const policy = policyCheck({ rules: ['mcp.resource.uri == "file:///srv/{+path}"'] })
  const name = 'file:///srv/{+path}'

  expect(
    policy.shows?.(callerOf(), toolOf('x', { kind: 'resourceTemplate', name, exposedName: name })),
  ).toBe(true)
})

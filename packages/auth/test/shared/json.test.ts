import { parseJsonObject } from '@parley/mcp/json'
import { expect, test } from 'vitest'

test('an object nested without end is refused before it is parsed', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`

  expect(parseJsonObject(nested(100))).toBeDefined()
  expect(parseJsonObject(nested(200))).toBeUndefined()
  expect(parseJsonObject('not JSON')).toBeUndefined()
})

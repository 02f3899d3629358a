import { expect, test } from 'vitest'

import { parseJsonObject } from '../../src/shared/json.ts'

test('an object nested without end is refused before it is parsed', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`

  expect(parseJsonObject(nested(100))).toBeDefined()
  expect(parseJsonObject(nested(200))).toBeUndefined()
  expect(parseJsonObject('not JSON')).toBeUndefined()
})

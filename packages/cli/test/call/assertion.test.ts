import { expect, test } from 'vitest'

import { parseAssertion } from '../../src/call/assertion.ts'

const result = {
  content: [{ type: 'text', text: 'Echo: hi' }],
  structuredContent: { total: 3, items: ['a', 'b'], 'odd/key': null },
  isError: false,
}

test.each([
  ['isError == false', true],
  ['isError==false', true],
  ['isError', true],
  ['missing', false],
  ['missing == null', false],
  ['content.0.text == "Echo: hi"', true],
  ['content.0.text == Echo: hi', true],
  ['content.0.text != "x"', true],
  ['content.0.text ~ ^Echo', true],
  ['content.0.text ~ /^echo/i', true],
  ['content.0.text !~ ^echo', true],
  ['content.0.text contains hi', true],
  ['content.0.text.length == 8', true],
  ['structuredContent.items contains "b"', true],
  ['structuredContent.items contains "c"', false],
  ['structuredContent.items == ["a","b"]', true],
  ['structuredContent.total >= 3', true],
  ['structuredContent.total < 3', false],
  ['structuredContent.total > "2"', false],
  ['/structuredContent/odd~1key == null', true],
  ['content.length == 1', true],
  ['constructor', false],
  ['content[0].text == "Echo: hi"', true],
  ['content[0].text=="Echo: hi"', true],
  ['content[0].text != "Echo: hi"', false],
  ['structuredContent["items"][1] == "b"', true],
  ['contents[0].text != "x"', false],
  ['contents.0.text !~ x', false],
  ['missing != true', true],
])('%s is %s', (text, holds) => {
  expect(parseAssertion(text).check(result).holds).toBe(holds)
})

test.each(['content[first].text == 1', 'content[0 == 1'])('%s is no expression', (text) => {
  expect(() => parseAssertion(text)).toThrow('is not a valid path')
})

test('says what is there', () => {
  expect(parseAssertion('structuredContent.total == 4').check(result)).toEqual({
    holds: false,
    seen: 3,
  })
})

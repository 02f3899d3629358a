import { readBytes, readDuration } from '@parley/gateway'
import { expect, test } from 'vitest'

test.each([
  ['4000ms', 4_000],
  ['5s', 5_000],
  ['1.5s', 1_500],
  ['10m', 600_000],
  ['2h', 7_200_000],
])('%s is %i milliseconds', (text, ms) => {
  expect(readDuration(text, '--session-timeout')).toBe(ms)
})

test.each([
  ['4000', '--session-timeout 4000 has no unit: write 4000ms or 4000s'],
  ['0s', 'is not a duration: write 4000ms, 5s, 10m or 2h'],
  ['-1s', 'is not a duration'],
  ['soon', 'is not a duration'],
  ['', 'is not a duration'],
])('the duration %j is refused with the cure', (text, words) => {
  expect(() => readDuration(text, '--session-timeout')).toThrow(words)
})

test.each([
  ['65536', 65_536],
  ['512M', 512 * 1024 ** 2],
  ['2g', 2 * 1024 ** 3],
  ['1KiB', 1_024],
])('%s is %i bytes', (text, bytes) => {
  expect(readBytes(text, '--max-memory')).toBe(bytes)
})

test.each(['0', '-1M', '1.5G', 'much', ''])('the size %j is refused with the cure', (text) => {
  expect(() => readBytes(text, '--max-memory')).toThrow('is not a size: write 512M, 2G or 65536')
})

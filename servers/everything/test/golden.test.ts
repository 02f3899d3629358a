import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { deviations, reference } from './deviations.ts'
import { listedBy } from './listed.ts'

const ours = fileURLToPath(new URL('../dist/main.js', import.meta.url))

test(`lists what the reference server lists, but for ${deviations.length} things that have a reason`, async () => {
  const listed = await listedBy(ours, 'simulate-research-query')

  const expected = deviations.reduce((lists, { apply }) => apply(lists), reference)
  expect(withoutPictures(listed)).toEqual(expected)
})

test.each(deviations.map((deviation) => [deviation.why, deviation] as const))(
  'differs: %s',
  (_, { apply }) => {
    expect(apply(reference)).not.toEqual(reference)
  },
)

function withoutPictures(value: object): object {
  return JSON.parse(
    JSON.stringify(value, (key, member: unknown) => (key === 'src' ? undefined : member)),
  ) as object // JSON of an object
}

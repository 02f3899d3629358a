import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { listedBy } from './listed.ts'
import { reference } from './reference.ts'

const ours = fileURLToPath(new URL('../dist/main.js', import.meta.url))

test('lists exactly what the reference server lists, apart from descriptions', async () => {
  expect(await listedBy(ours)).toEqual(reference)
})

import { describe, test } from 'vitest'

import { createMemoryStore } from '../src/index.ts'
import { storeContract } from '../src/testing/index.ts'

describe('a store in memory', () => {
  const cases = storeContract(async () => {
    const store = createMemoryStore()
    return { first: store, second: store }
  })
  for (const { name, run } of cases) test(name, run)
})

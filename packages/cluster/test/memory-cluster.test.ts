import { describe } from 'vitest'

import { createMemoryStore } from '../src/index.ts'
import { describeProcesses } from './cluster-cases.ts'
import { describeRotation } from './rotation-cases.ts'

describe('two endpoints with a store in memory', () => {
  describeProcesses(() => {
    const store = createMemoryStore()
    return () => store
  })
  describeRotation(() => {
    const store = createMemoryStore()
    return () => store
  })
})

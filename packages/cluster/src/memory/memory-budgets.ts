import type { Budgets } from '../store/budgets.ts'
import { createExpiringMap } from './expiring-map.ts'

interface Level {
  readonly amount: number
  readonly at: number
}

export function createMemoryBudgets(now: () => number): Budgets {
  const levels = createExpiringMap<Level>(now)
  return {
    async take(key, wanted, capacity, windowMs) {
      const { amount, at } = levels.get(key) ?? { amount: capacity, at: now() }
      const filled = Math.min(capacity, amount + ((now() - at) * capacity) / windowMs)
      const granted = Math.min(wanted, Math.floor(filled))
      levels.set(key, { amount: Math.min(capacity, filled - granted), at: now() }, windowMs)
      return granted
    },
  }
}

import type { Budgets } from '../store/budgets.ts'
import { wholeMs } from '../store/whole-numbers.ts'
import type { ObjectDatabase } from './object-database.ts'

type Level = { readonly amount: number; readonly at: number }

export function createObjectBudgets({ rows, step, now }: ObjectDatabase): Budgets {
  return {
    take: (key, wanted, capacity, windowMs) =>
      step(() => {
        const time = now()
        const query = 'SELECT amount, at FROM parley_budgets WHERE id = ? AND kept_until > ?'
        const { amount, at } = rows<Level>(query, key, time)[0] ?? { amount: capacity, at: time }
        const filled = Math.min(capacity, amount + ((time - at) * capacity) / windowMs)
        const granted = Math.min(wanted, Math.floor(filled))
        const left = Math.min(capacity, filled - granted)
        const keep =
          'INSERT OR REPLACE INTO parley_budgets (id, amount, at, kept_until) VALUES (?, ?, ?, ?)'
        rows(keep, key, left, time, time + wholeMs(windowMs))
        return granted
      }),
  }
}

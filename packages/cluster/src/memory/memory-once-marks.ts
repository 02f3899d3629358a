import type { OnceMarks } from '../store/once-marks.ts'
import { createExpiringMap } from './expiring-map.ts'

export function createMemoryOnceMarks(now: () => number): OnceMarks {
  const marks = createExpiringMap<true>(now)
  return {
    async add(key, keepMs) {
      if (marks.get(key)) return false
      marks.set(key, true, keepMs)
      return true
    },
  }
}

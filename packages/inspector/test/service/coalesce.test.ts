import { expect, onTestFinished, test, vi } from 'vitest'

import { coalesce } from '../../src/service/coalesce.ts'

test('what a server repeats is told ten times a second: the first, then the newest', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const told: unknown[] = []
  const emit = coalesce((event, data) => told.push([event, data]))

  for (let progress = 1; progress <= 1000; progress += 1) {
    emit('runs/progress', { run: 'one', progress })
    emit('lists/changed', { server: 'a', kind: 'tools' })
  }
  emit('runs/progress', { run: 'two', progress: 1 })
  vi.advanceTimersByTime(1000)

  expect(told).toEqual([
    ['runs/progress', { run: 'one', progress: 1 }],
    ['lists/changed', { server: 'a', kind: 'tools' }],
    ['runs/progress', { run: 'two', progress: 1 }],
    ['runs/progress', { run: 'one', progress: 1000 }],
    ['lists/changed', { server: 'a', kind: 'tools' }],
  ])
})

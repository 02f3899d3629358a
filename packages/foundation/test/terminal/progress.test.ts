import {
  createColors,
  createProgressBar,
  formatDuration,
  renderProgress,
} from '@parley/foundation/terminal'
import { expect, test } from 'vitest'

test('with a total, a bar with what is left', () => {
  const line = renderProgress({ progress: 3, total: 4, message: 'unpacking' }, 3_000, 80)

  expect(line).toBe('███████████████░░░░░ 75% unpacking 3.0 s of about 4.0 s')
})

test('without one, something that moves', () => {
  const first = renderProgress({ progress: 7 }, 0, 80)
  const later = renderProgress({ progress: 7 }, 600, 80)

  expect(first).toBe('████░░░░░░░░░░░░░░░░ 7 0 ms')
  expect(later).toBe('░░░░░████░░░░░░░░░░░ 7 600 ms')
})

test('shows what servers say harmlessly, on one line', () => {
  const line = renderProgress(
    { progress: 1, total: 2, message: '\u001b[2J\nboo'.repeat(50) },
    10,
    60,
  )

  expect(line).not.toContain('\u001b')
  expect(line).not.toContain('\n')
  expect(line.length).toBeLessThanOrEqual(60)
})

test('draws over itself on a terminal, and now and then elsewhere', () => {
  const draw = (isTTY: boolean) => {
    let time = 0
    const written: string[] = []
    const bar = createProgressBar(
      { isTTY, columns: 80, write: (text) => written.push(text) },
      { now: () => time },
    )
    for (const progress of [1, 2, 3]) {
      bar.update({ progress, total: 3 })
      time += 3_000
    }
    bar.done()
    return written
  }

  expect(draw(true)).toHaveLength(4)
  expect(draw(true).at(-1)).toBe('\r\u001b[2K')
  expect(draw(false)).toHaveLength(2)
})

test('tells times as people do', () => {
  expect([5, 1_500, 125_000].map(formatDuration)).toEqual(['5 ms', '1.5 s', '2:05 min'])
})

test('colours only where they are seen and wanted', () => {
  const isColored = (env: Record<string, string>, isTty: boolean, color?: boolean) =>
    createColors({ env, isTty, color }).isColorSupported

  expect(isColored({}, true)).toBe(true)
  expect(isColored({}, false)).toBe(false)
  expect(isColored({ NO_COLOR: '1' }, true)).toBe(false)
  expect(isColored({ TERM: 'dumb' }, true)).toBe(false)
  expect(isColored({ FORCE_COLOR: '1' }, false)).toBe(true)
  expect(isColored({ FORCE_COLOR: '1' }, true, false)).toBe(false)
})

import { createVirtualClock } from '@parley/mcp/testing'
import { expect, onTestFinished, test, vi } from 'vitest'

import { createProgressReporter } from '../../src/server/calls/progress.ts'

test('an answer waits while progress was sent a moment ago, and no longer', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(100)
  onTestFinished(() => now.mockRestore())
  const sent: unknown[] = []
  const caller = {
    clock: createVirtualClock(),
    onError: () => {},
    drained: undefined,
    notify: (_: string, params: unknown) => void sent.push(params),
  }
  const reporter = createProgressReporter(caller, 7, 'tools/call')
  await reporter.report({ progress: 1 })

  const soon = reporter.resolve()
  now.mockReturnValue(200)
  const late = reporter.resolve()

  expect(sent).toEqual([{ progressToken: 7, progress: 1 }])
  expect(soon).toBeInstanceOf(Promise)
  expect(late).toBeUndefined()
  await soon
})

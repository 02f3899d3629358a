import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { createObjectUpkeep } from '../../src/workers/object-upkeep.ts'

const start = 1_000_000

function openUpkeep(sweeps: readonly (number | undefined)[] = []) {
  vi.useFakeTimers({ now: start })
  onTestFinished(() => void vi.useRealTimers())
  const alarms: number[] = []
  const left = [...sweeps]
  const state = { inFlight: 0 }
  const upkeep = createObjectUpkeep(
    { setAlarm: async (at) => void alarms.push(at - start) },
    { sweep: () => left.shift() },
    () => state,
  )
  return { upkeep, alarms, state }
}

describe('an object that nobody calls', () => {
  test('is called by one alarm after many requests', () => {
    const { upkeep, alarms } = openUpkeep()

    for (let request = 0; request < 5; request += 1) upkeep.wake()

    expect(alarms).toEqual([20_000])
  })

  test('stays in memory while a task runs, and no longer', async () => {
    const { upkeep, alarms } = openUpkeep()
    let finish = (): void => undefined
    const task = new Promise<void>((resolve) => (finish = resolve))

    upkeep.waitUntil(task)
    await upkeep.alarm()
    finish()
    await task
    await upkeep.alarm()

    expect(alarms).toEqual([20_000, 20_000])
  })

  test('stays in memory while a call runs', async () => {
    const { upkeep, alarms, state } = openUpkeep()
    state.inFlight = 1

    await upkeep.alarm()

    expect(alarms).toEqual([20_000])
  })

  test('is called when something has to be deleted, at most once a minute', async () => {
    const { upkeep, alarms } = openUpkeep([start + 5, start + 3_600_000, undefined])

    await upkeep.alarm()
    await upkeep.alarm()
    await upkeep.alarm()

    expect(alarms).toEqual([60_000, 3_600_000])
  })
})

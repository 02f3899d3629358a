import { execFileSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'

import { judgeCalls, runnerOf } from '../oracle.mjs'
import { percentile, total } from '../scenario.mjs'
import { until } from '../world.mjs'

const pieceBytes = 64 * 1024
const mostGrowth = 64 * 2 ** 20

/** @type {import('../scenario.mjs').Scenario} */
export const slowConsumer = {
  name: 'slow-consumer',
  title: 'a reader that takes nothing of 100 MB',
  target: 'resident memory grows by ≤ 64 MB; a later resume is complete',
  stores: ['redis'],

  async run(world, { number, isQuick }) {
    const pieces = Math.ceil(((isQuick ? 16 : 100) * 2 ** 20) / pieceBytes)
    const client = await world.openClient({ silenceMs: 120_000 })
    await (
      await world.openClient()
    ).call('flood', { pieces: 20, bytes: pieceBytes, key: `warm-${number}` }).done
    const before = new Map(world.nodes.map(({ server }) => [server.pid, residentBytes(server.pid)]))
    let isPaused = false
    const args = { pieces, bytes: pieceBytes, key: `flood-${number}` }
    const call = client.call('flood', args, {
      onEvent(_, { pause }) {
        if (isPaused) return
        isPaused = true
        pause()
      },
    })
    await until(() => isPaused, 'the stream runs')
    const pid = runnerOf(call.record)
    let most = 0
    for (let poll = 0; poll < (isQuick ? 10 : 50); poll += 1) {
      most = Math.max(most, residentBytes(pid) - (before.get(pid) ?? 0))
      await wait(100)
    }
    call.cut()
    const record = await call.done

    const faults = await judgeCalls(world, [record])
    if (record.answer?.result === undefined)
      faults.push(`no result: ${JSON.stringify(record.answer)}`)
    if (most > mostGrowth) faults.push(`memory grew by ${megabytes(most)}`)
    return {
      faults,
      figures: { growth: [most], bytes: record.events.map(({ data }) => data.length) },
    }
  },

  describe: ({ growth, bytes }) =>
    `${megabytes(total(bytes))} sent; memory grew by at most ${megabytes(percentile(growth, 1))}`,
}

/** @param {number} pid */
function residentBytes(pid) {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1_024
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${Math.round(bytes / 2 ** 20)} MB`
}

/**
 * `node --expose-gc packages/code/bench/cost.mjs`: CPU time of programs and of their calls, and the memory of a thread that waits. The
 * first program of a process is measured in this process, so start it anew for each figure of it.
 */

import { cpuUsage, memoryUsage } from 'node:process'

import { createSandbox } from '@parley/code'

/** CPU milliseconds of this process for some work. @param {() => Promise<unknown>} work */
async function cpuOf(work) {
  const before = cpuUsage()
  await work()
  const { user, system } = cpuUsage(before)
  return (user + system) / 1000
}

const rss = () => {
  globalThis.gc?.()
  return memoryUsage().rss / 2 ** 20
}

const sandbox = createSandbox({ limits: { calls: 1e6, cpuMs: 60_000 } })
/** @param {string} program @param {unknown} [answer] @param {string} [caller] */
const run = (program, answer = {}, caller = '') =>
  sandbox.run(program, { tools: ['echo'], call: async () => answer, caller })

console.log(`first program of a process: ${(await cpuOf(() => run('return 1'))).toFixed(0)} ms CPU`)
const rssOfOne = rss()
for (const caller of ['a', 'b', 'c']) await run('return 1', {}, caller)
console.log(`memory of a warm thread: ${((rss() - rssOfOne) / 3).toFixed(1)} MiB`)

const warm = []
for (let at = 0; at < 20; at += 1) warm.push(await cpuOf(() => run('return 1')))
console.log(`a program in a warm thread: ${median(warm).toFixed(1)} ms CPU`)

const calls = 2_000
const few = await cpuOf(() => run('return 1'))
const one = await cpuOf(() =>
  run(`for (let at = 0; at < ${calls}; at += 1) await tools.echo({ at })`),
)
console.log(`a call after another: ${(((one - few) / calls) * 1000).toFixed(0)} µs CPU`)
const together = await cpuOf(() =>
  run(
    `for (let at = 0; at < ${calls / 20}; at += 1) await Promise.all(Array.from({ length: 20 }, () => tools.echo({ at })))`,
  ),
)
console.log(`a call of 20 at once: ${(((together - few) / calls) * 1000).toFixed(0)} µs CPU`)
const text = 'x'.repeat(100_000)
const large = await cpuOf(() =>
  run(
    `const text = 'y'.repeat(100_000)\nfor (let at = 0; at < 100; at += 1) await tools.echo({ text })`,
    { text },
  ),
)
console.log(`a call with 100 kB each way: ${((large - few) / 100).toFixed(1)} ms CPU`)
await sandbox[Symbol.asyncDispose]()

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

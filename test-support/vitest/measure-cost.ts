/**
 * Measures the CPU time of a test file: its own process, and every process below it, running or ended. Set up before each file.
 * In a worker thread only the thread counts, since other files run in the same process. `CostReporter` reads the result.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { pid } from 'node:process'
import { isMainThread } from 'node:worker_threads'

import { afterAll } from 'vitest'

/** Linux counts in hundredths of a second. */
const msPerTick = 10

const before = cpuMs()

// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern what a hook needs
afterAll(({}, file) => {
  const after = cpuMs()
  if (before !== undefined && after !== undefined) {
    Object.assign(file.meta, { cpuMs: Math.max(0, after - before) })
  }
})

/** The CPU time so far; undefined where the system does not say it. */
function cpuMs(): number | undefined {
  try {
    if (!isMainThread) {
      const [ns] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)
      return Number(ns) / 1e6
    }
    const processes = new Map(readdirSync('/proc').flatMap(readProcess))
    let sum = 0
    for (const [id, { ms }] of processes) if (isBelow(id, processes)) sum += ms
    return sum
  } catch {
    return undefined // not Linux
  }
}

interface ProcessCost {
  readonly parent: number
  /** Its own time, and that of its children that have ended. */
  readonly ms: number
}

function readProcess(name: string): readonly (readonly [number, ProcessCost])[] {
  if (!/^\d+$/.test(name)) return []
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    // The second field is the name of the program, in parentheses, which may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [parent, ticks] = [Number(fields[1]), fields.slice(11, 15).map(Number)]
    return [[Number(name), { parent, ms: ticks.reduce((sum, each) => sum + each) * msPerTick }]]
  } catch {
    return [] // it has ended meanwhile
  }
}

function isBelow(id: number, processes: ReadonlyMap<number, ProcessCost>): boolean {
  let at: number | undefined = id
  while (at !== undefined && at !== pid) at = processes.get(at)?.parent
  return at === pid
}

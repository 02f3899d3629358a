/**
 * Says at the end of a run what the tests cost in CPU seconds: the dearest files with their children, and what is over its
 * budget. `measure-cost.ts` measures it in the workers.
 *
 * A slow machine needs 1.6 times as many seconds for the same work, a busy one half as much again, so only what takes more than
 * four times its budget fails the run. A run of a few files says nothing unless one is over; `PARLEY_COSTS=100` lists the
 * hundred dearest files of any run.
 */

import { relative } from 'node:path'
import { env } from 'node:process'

import type { Reporter, TestModule, Vitest } from 'vitest/node'

import { isThorough } from '../thorough.ts'

/** CPU seconds that a file may take, by project. */
const fileBudgets: Readonly<Record<string, number>> = {
  fast: 2,
  threads: 2,
  slow: 10,
  counting: 10,
}

/** CPU seconds that the tests of a package may take together. */
export const packageBudgets: Readonly<Record<string, number>> = {
  'packages/mcp': 150,
  'packages/inspector': 130,
  'packages/cli': 55,
  'packages/registry': 45,
  'packages/cluster': 40,
  'packages/gateway': 45,
  'packages/auth': 35,
  'packages/chat': 35,
  servers: 45,
}

/** All other folders together. */
const otherBudget = 70

/** How many times its budget a file or package may take before the run fails. */
const failingFactor = 4

/** A run of fewer files is a developer's choice, not the whole suite. */
const filesOfWholeRun = 500

export interface FileCost {
  readonly file: string
  readonly project: string
  readonly seconds: number
}

export class CostReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules.flatMap((module): FileCost[] => {
      const { cpuMs } = module.meta() as { readonly cpuMs?: number } // set by `measure-cost.ts`
      const file = relative(this.#vitest?.config.root ?? '', module.moduleId).replaceAll('\\', '/')
      return cpuMs === undefined
        ? []
        : [{ file, project: module.project.name, seconds: cpuMs / 1000 }]
    })
    const isWhole = costs.length >= filesOfWholeRun
    const over = isThorough ? [] : findExcess(costs, { isWhole })
    const count = Number(env['PARLEY_COSTS'] ?? (isWhole ? 20 : 0))
    if (count > 0) console.log(`\n${describeCosts(costs, count)}`)
    for (const { name, seconds, budget } of over) {
      console.log(`over its budget: ${name} took ${seconds.toFixed(1)} of ${budget} CPU seconds`)
    }
    if (over.some(({ seconds, budget }) => seconds > failingFactor * budget)) {
      console.log('CONTRIBUTING.md, "What a test may cost", says what to do about it.')
      process.exitCode = 1
    }
  }
}

interface Excess {
  readonly name: string
  readonly seconds: number
  readonly budget: number
}

/** What took more than its budget; packages count in whole runs only. */
export function findExcess(
  costs: readonly FileCost[],
  { isWhole }: { readonly isWhole: boolean },
): readonly Excess[] {
  const files = costs.map(({ file, project, seconds }) => ({
    name: file,
    seconds,
    budget: fileBudgets[project] ?? Infinity,
  }))
  const packages = isWhole
    ? sumByPackage(costs).map(([name, seconds]) => ({
        name,
        seconds,
        budget: packageBudgets[name] ?? otherBudget,
      }))
    : []
  return [...files, ...packages].filter(({ seconds, budget }) => seconds > budget)
}

function describeCosts(costs: readonly FileCost[], count: number): string {
  const total = costs.reduce((sum, { seconds }) => sum + seconds, 0)
  const dearest = costs.toSorted((one, other) => other.seconds - one.seconds).slice(0, count)
  const line = ([name, seconds]: readonly [string, number]): string =>
    `  ${seconds.toFixed(1).padStart(6)}  ${name}`
  return [
    `CPU seconds of the test files, with the processes they start: ${total.toFixed(0)}`,
    ...sumByPackage(costs).map(line),
    'the dearest files:',
    ...dearest.map(({ file, seconds }) => line([file, seconds])),
  ].join('\n')
}

function sumByPackage(costs: readonly FileCost[]): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>()
  for (const { file, seconds } of costs) {
    const [top = '', folder = ''] = file.split('/')
    const own = top === 'packages' ? `${top}/${folder}` : top
    const name = own in packageBudgets ? own : 'other folders'
    sums.set(name, (sums.get(name) ?? 0) + seconds)
  }
  return [...sums].toSorted(([, one], [, other]) => other - one)
}

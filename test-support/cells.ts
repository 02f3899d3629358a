/**
 * The same tests over many cells: over every channel and revision, every pair of programs, every store.
 *
 * By day each statement (a test's title) runs in two of its cells; with `PARLEY_THOROUGH=1`, at night, in all of them. The
 * title alone decides which two, so a run can be repeated, and over many statements each cell is still met often. The second
 * cell differs from the first in as many axes as possible. Layers that do not know each other (a codec and a channel) need no
 * more than that; those that do are listed in `matrix.md` and meet by day through `always`.
 *
 * `describeMatrix` of the SDK's tests is built on this; matrices of other tests call `describeCells` themselves.
 */

import { createHash } from 'node:crypto'

import { describe } from 'vitest'

import { isThorough } from './thorough.ts'

/** Where a test runs: a value for each axis, for example `{ channel: 'stdio', revision: '2025-06-18' }`. */
export type Axes = Readonly<Record<string, string>>

export interface CellOptions<Cell> {
  /** The name of a cell's suite. */
  nameOf(cell: Cell): string
  /** The axes that the two cells of a day should differ in. */
  axesOf(cell: Cell): Axes
  /** Cells of which each statement that runs in one of them runs in at least one by day. */
  always?: ((cell: Cell, title: string) => boolean) | undefined
}

/** Runs `body` for the cells; it registers tests with `test`, as inside `describe`. */
export function describeCells<Cell>(
  name: string,
  cells: readonly Cell[],
  body: (cell: Cell) => void,
  options: CellOptions<Cell>,
): void {
  const suites = new Map(cells.map((cell) => [options.nameOf(cell), cell]))
  const collector = describe(name, () => {
    for (const [cellName, cell] of suites) describe(cellName, () => body(cell))
  })
  if (isThorough) return
  // Which titles there are is known only once every cell was collected: some exist in few of them.
  const collect = collector.collect.bind(collector)
  collector.collect = async (file) => {
    const suite = await collect(file)
    const cellsByTitle = new Map<string, Cell[]>()
    for (const { name: cellName, titles } of suite.tasks.map(titlesOf)) {
      const cell = suites.get(cellName)
      if (cell === undefined) continue
      for (const title of titles) {
        const found = cellsByTitle.get(title)
        if (found) found.push(cell)
        else cellsByTitle.set(title, [cell])
      }
    }
    const chosen = new Map<string, readonly Cell[]>()
    for (const [title, found] of cellsByTitle) chosen.set(title, chooseCells(title, found, options))
    for (const task of suite.tasks) {
      const cell = suites.get(task.name)
      if (cell !== undefined) keepOnly(task, (title) => chosen.get(title)?.includes(cell) === true)
    }
    suite.tasks = suite.tasks.filter(hasTests)
    return suite
  }
}

/** The two cells in which a statement runs by day; all of them where there are no more. */
export function chooseCells<Cell>(
  title: string,
  cells: readonly Cell[],
  { nameOf, axesOf, always }: CellOptions<Cell>,
): readonly Cell[] {
  if (cells.length <= 2) return cells
  const rank = (cell: Cell): string =>
    createHash('sha256')
      .update(`${title}\n${nameOf(cell)}`)
      .digest('hex')
  const ranked = cells
    .map((cell) => ({ cell, rank: rank(cell), isWanted: always?.(cell, title) === true }))
    .toSorted(
      (one, other) =>
        Number(other.isWanted) - Number(one.isWanted) || (one.rank < other.rank ? -1 : 1),
    )
  const [first, ...others] = ranked.map(({ cell }) => cell)
  if (first === undefined) return []
  const [axes, distances] = [axesOf(first), new Map<Cell, number>()]
  for (const cell of others) {
    const differing = Object.entries(axesOf(cell)).filter(([axis, value]) => axes[axis] !== value)
    distances.set(cell, differing.length)
  }
  const farthest = Math.max(...distances.values())
  const second = others.find((cell) => distances.get(cell) === farthest)
  return second === undefined ? [first] : [first, second]
}

/** The parts of Vitest's suites and tests that are read here. */
interface Task {
  readonly type: string
  readonly name: string
  tasks?: Task[]
}

function titlesOf(suite: Task): { readonly name: string; readonly titles: readonly string[] } {
  const titles: string[] = []
  const walk = (task: Task, path: string): void => {
    if (task.tasks === undefined) titles.push(path + task.name)
    else for (const each of task.tasks) walk(each, `${path}${task.name} > `)
  }
  for (const task of suite.tasks ?? []) walk(task, '')
  return { name: suite.name, titles }
}

function keepOnly(suite: Task, isWanted: (title: string) => boolean, path = ''): void {
  if (suite.tasks === undefined) return
  suite.tasks = suite.tasks.filter((task) => {
    if (task.tasks === undefined) return isWanted(path + task.name)
    keepOnly(task, isWanted, `${path}${task.name} > `)
    return hasTests(task)
  })
}

function hasTests({ tasks }: Task): boolean {
  return tasks === undefined || tasks.length > 0
}

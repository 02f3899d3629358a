#!/usr/bin/env node
/**
 * `npm run pack:check`: packs every package, installs the tarballs in an empty folder, and uses them as a user would, on
 * every runtime. Prints a table of runtimes and steps.
 */

import { performance } from 'node:perf_hooks'
import { exit } from 'node:process'
import { parseArgs } from 'node:util'

import { createProject } from './project.mjs'
import { rows, stepNames } from './rows.mjs'

/** @typedef {import('./rows.mjs').Row} Row */
/** @typedef {import('./project.mjs').Project} Project */

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log('npm run pack:check -- [--only NAME,NAME …] [--keep]\n')
  console.log(`  --only  some of: ${rows.map(({ name }) => name).join(', ')}`)
  console.log('  --keep  does not remove the folder with the packages and programs')
  exit(0)
}

const names = values.only?.split(',')
const unknown = names?.find((name) => !rows.some((row) => row.name === name))
if (unknown !== undefined) {
  console.error(`--only ${unknown}: there are ${rows.map(({ name }) => name).join(', ')}`)
  exit(2)
}
const wanted = rows.filter(({ name }) => names?.includes(name) ?? true)

/** @type {string[]} */
const failures = []
const project = await createProject({ install: wanted.some(({ needsProject }) => needsProject) })
try {
  console.log(`${project.tarballs.length} packages, installed in ${project.folder}\n`)
  printLine('', ['start', ...stepNames], '')
  for (const row of wanted) await fill(row)
} finally {
  if (values.keep) console.log(`\nkept: ${project.folder}`)
  else project.remove()
}
for (const failure of failures) console.error(`\n${failure}`)
exit(failures.length === 0 ? 0 : 1)

/** @param {Row} row */
async function fill(row) {
  const started = performance.now()
  const steps = await attempt(`${row.name}: start`, () => row.start())
  const cells = [steps === undefined ? '✗' : '✓']
  for (const name of stepNames) {
    const step = steps?.[name]
    if (step === undefined) cells.push(steps === undefined ? '?' : '–')
    else
      cells.push(
        (await attempt(`${row.name}: ${name}`, () => step(project).then(() => true))) ? '✓' : '✗',
      )
  }
  printLine(row.name, cells, `${((performance.now() - started) / 1000).toFixed(1)} s`)
}

/**
 * @template Result
 * @param {string} title
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result | undefined>}
 */
async function attempt(title, work) {
  try {
    return await work()
  } catch (error) {
    failures.push(`${title}\n${describe(error)}`)
    return undefined
  }
}

/** @param {unknown} error @returns {string} */
function describe(error) {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}\n${describe(error.cause)}`
}

/** @param {string} name @param {readonly string[]} cells @param {string} time */
function printLine(name, cells, time) {
  console.log(`${name.padEnd(14)}${cells.map((cell) => cell.padEnd(9)).join('')}${time}`)
}

#!/usr/bin/env node
/** Plants one fault at a time in a copy of the repository, and sees whether the test that must fail does. */

import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process, { argv, execPath, exit } from 'node:process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

import { plantedFaults } from './planted-faults/index.mjs'
import { areaOf } from './requirement-ids.mjs'
import { root } from './source-files.mjs'
import { readWorkspaces } from './workspaces.mjs'

/** @typedef {import('./planted-faults/index.mjs').PlantedFault} PlantedFault */
/**
 * @typedef {'caught' | 'not caught' | 'fails anyway' | 'edit no longer applies' | 'no such test' | 'does not load' | 'does not build'} Outcome
 */

const usage = `node scripts/plant.mjs [options]

  --id A,B         only the faults of these requirements
  --area A,B       only those of these areas
  --sample N       only N of them, drawn at random
  --seed N         draws the same ones again; printed when it was not given
  --list           show them and plant nothing
  --json           machine-readable, one line for each
  --help           this text

Exit code 1 if a fault was not caught. Each fault takes as long as its test; those in the
Inspector's page, and in programs that tests start, are built first.
`

/**
 * A text with its one edit made, or undefined where the text to replace is not there exactly once.
 *
 * @param {string} text
 * @param {Pick<PlantedFault, 'find' | 'put'>} fault
 */
export function applyFault(text, { find, put }) {
  const parts = text.split(find)
  return parts.length === 2 ? parts.join(put) : undefined
}

/**
 * The same ones for the same seed, in the order of the table.
 *
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} count
 * @param {number} seed
 * @returns {Item[]}
 */
export function draw(items, count, seed) {
  let state = seed >>> 0
  const keyed = items.map((item, index) => {
    state = (Math.imul(state ^ (index + 1), 1_664_525) + 1_013_904_223) >>> 0
    return { item, index, key: state }
  })
  const chosen = keyed.toSorted((a, b) => a.key - b.key).slice(0, count)
  return chosen.toSorted((a, b) => a.index - b.index).map(({ item }) => item)
}

/**
 * What a report of Vitest says about the tests that a title names.
 *
 * @param {{ testResults: readonly { assertionResults: readonly { fullName: string, status: string }[] }[] }} report
 * @param {string} title
 * @returns {Outcome}
 */
export function classify({ testResults }, title) {
  const ran = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'passed' || status === 'failed'),
  )
  if (ran.some(({ fullName, status }) => status === 'failed' && fullName.includes(title)))
    return 'caught'
  const isKnown = testResults.some(({ assertionResults }) =>
    assertionResults.some(({ fullName }) => fullName.includes(title)),
  )
  if (isKnown) return 'not caught'
  return testResults.some(({ assertionResults }) => assertionResults.length === 0)
    ? 'does not load'
    : 'no such test'
}

/**
 * The title of the tests that must fail: those that name the requirement, unless the table says otherwise.
 *
 * @param {PlantedFault} fault
 */
export const titleOf = ({ id, title }) => title ?? id

/**
 * A copy of the working tree with the packages of this one, in which workspaces are those of the copy.
 *
 * @param {string} copy an empty folder
 */
async function fillCopy(copy) {
  const listed = await run('git', ['ls-files', '-co', '--exclude-standard', '-z'], root)
  for (const file of listed.stdout.split('\0').filter(Boolean)) {
    if (!existsSync(join(root, file))) continue // removed, and not committed
    await nextTurn() // in which a signal is heard
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file), { preserveTimestamps: true })
  }
  const folders = readWorkspaces(root).map(({ folder }) => folder)
  for (const folder of ['.', ...folders]) {
    linkPackages(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'))
    const built = join(root, folder, 'dist')
    if (existsSync(built))
      cpSync(built, join(copy, folder, 'dist'), { recursive: true, preserveTimestamps: true })
  }
  linkWorkspaces(copy)
}

/** What each clone has of its own. */
const notShared = new Set(['@parley', '.cache', '.vite'])

/** @param {string} from @param {string} to */
function linkPackages(from, to) {
  if (!existsSync(from)) return
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    if (!notShared.has(name)) symlinkSync(join(from, name), join(to, name))
  }
}

/** @param {string} copy */
function linkWorkspaces(copy) {
  mkdirSync(join(copy, 'node_modules/@parley'))
  for (const { folder, name } of readWorkspaces(copy)) {
    if (name.startsWith('@parley/'))
      symlinkSync(join(copy, folder), join(copy, 'node_modules', name))
  }
}

/**
 * What runs now; it leads a process group of its own, so that what it started ends with it.
 *
 * @type {import('node:child_process').ChildProcess | undefined}
 */
let running

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<{ status: number | null, stdout: string, stderr: string }>}
 */
function run(command, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    running = child
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
    child.once('error', reject)
    child.once('close', (status) => {
      running = undefined
      resolve({ status, stdout, stderr })
    })
  })
}

/**
 * Ends what runs and removes the copy, if there is one, when somebody ends this program.
 *
 * @param {() => string | undefined} copyOf
 */
function cleanUpOnSignal(copyOf) {
  for (const [signal, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])) {
    process.once(signal, () => {
      endRunning()
      const copy = copyOf()
      if (copy !== undefined) removeCopy(copy)
      exit(code)
    })
  }
}

function endRunning() {
  if (running?.pid === undefined) return
  try {
    process.kill(-running.pid, 'SIGKILL')
  } catch {
    // it has ended by itself
  }
}

/** @param {string} copy */
function removeCopy(copy) {
  rmSync(copy, { recursive: true, force: true, maxRetries: 5 }) // what was killed may still write
}

/**
 * @param {string} copy
 * @param {PlantedFault} fault
 * @returns {Promise<Outcome>}
 */
async function plant(copy, fault) {
  const path = join(copy, fault.file)
  const original = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const faulty = applyFault(original, fault)
  if (faulty === undefined) return 'edit no longer applies'
  writeFileSync(path, faulty)
  try {
    const isBuilt = !(fault.isBuilt || isStale) || (await build(copy)) === undefined
    isStale = fault.isBuilt === true
    if (!isBuilt) return 'does not build'
    const report = await runTests(copy, fault.test, [titleOf(fault)], ['--bail=1']) // one that fails is enough
    return classify(report, titleOf(fault))
  } finally {
    writeFileSync(path, original)
  }
}

/** What was built last has a fault in it. */
let isStale = false

/**
 * Those whose test fails without the fault too, and so has shown nothing.
 *
 * @param {string} copy
 * @param {readonly PlantedFault[]} caught
 * @returns {Promise<Set<PlantedFault>>}
 */
async function findFailing(copy, caught) {
  const broken = isStale ? await build(copy) : undefined
  if (broken !== undefined) throw new Error(`the copy cannot be built:\n${broken}`)
  /** @type {Set<PlantedFault>} */
  const failing = new Set()
  for (const test of new Set(caught.map((fault) => fault.test))) {
    const own = caught.filter((fault) => fault.test === test)
    const report = await runTests(copy, test, own.map(titleOf))
    for (const fault of own)
      if (classify(report, titleOf(fault)) !== 'not caught') failing.add(fault)
  }
  return failing
}

/**
 * What is wrong, if it cannot be built.
 *
 * @param {string} copy
 */
async function build(copy) {
  const { status, stderr, stdout } = await run(execPath, ['scripts/build.mjs'], copy)
  return status === 0 ? undefined : `${stdout}${stderr}`
}

/**
 * @param {string} copy
 * @param {string} test
 * @param {readonly string[]} titles
 * @param {readonly string[]} options
 */
async function runTests(copy, test, titles, options = []) {
  const report = join(copy, 'plant-report.json')
  rmSync(report, { force: true })
  const pattern = titles.map((one) => one.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const reporter = ['--reporter=json', `--outputFile=${report}`]
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs')
  await run(execPath, [vitest, 'run', test, '-t', pattern.join('|'), ...reporter, ...options], copy)
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { testResults: [] }
}

/** @param {string | undefined} list */
const wordsOf = (list) => (list ?? '').split(',').filter(Boolean)

async function main() {
  const { values } = parseArgs({
    options: {
      id: { type: 'string' },
      area: { type: 'string' },
      sample: { type: 'string' },
      seed: { type: 'string' },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const ids = wordsOf(values.id)
  const areas = wordsOf(values.area)
  let faults = plantedFaults.filter(
    ({ id }) =>
      (ids.length === 0 || ids.includes(id)) && (areas.length === 0 || areas.includes(areaOf(id))),
  )
  if (values.sample !== undefined) {
    const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9))
    if (values.seed === undefined) console.error(`--seed ${seed}`)
    faults = draw(faults, Number(values.sample), seed)
  }
  if (faults.length === 0) {
    console.error('no such fault: --list shows those there are')
    return exit(2)
  }
  if (values.list) {
    for (const { id, file, test } of faults) console.log(`${id.padEnd(13)} ${file}  ${test}`)
    return undefined
  }
  /** @type {string | undefined} */
  let made
  cleanUpOnSignal(() => made) // before it is made: nobody else would remove it
  const copy = mkdtempSync(join(tmpdir(), 'parley-plant-'))
  made = copy
  /** @type {PlantedFault[]} */
  const caught = []
  /** @param {PlantedFault} fault @param {Outcome} outcome */
  const notify = (fault, outcome) =>
    console.log(
      values.json
        ? JSON.stringify({ ...fault, outcome })
        : `${fault.id.padEnd(13)} ${outcome.padEnd(22)} ${fault.file}`,
    )
  let failing = 0
  try {
    await fillCopy(copy)
    for (const fault of faults) {
      const outcome = await plant(copy, fault)
      if (outcome === 'caught') caught.push(fault)
      notify(fault, outcome)
    }
    for (const fault of await findFailing(copy, caught)) {
      failing += 1
      notify(fault, 'fails anyway')
    }
  } finally {
    removeCopy(copy)
  }
  console.error(`${caught.length - failing} of ${faults.length} caught`)
  return exit(caught.length - failing === faults.length ? 0 : 1)
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) await main()

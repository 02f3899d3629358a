#!/usr/bin/env node
/** Which requirements of the catalogue are named by a test, and which are not. */

import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { argv, exit } from 'node:process'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

import { parseCatalogue, parseNotTested } from './requirement-catalogue.mjs'
import { areaOf, compactIds } from './requirement-ids.mjs'
import { listFiles, root, shortPath } from './source-files.mjs'
import { findTestedIds } from './tested-requirements.mjs'

/** @typedef {import('./requirement-catalogue.mjs').Requirement} Requirement */

/**
 * @typedef {object} Evidence
 * @property {readonly Requirement[]} requirements
 * @property {ReadonlyMap<string, readonly string[]>} testFilesById
 * @property {ReadonlyMap<string, string>} reasonsById why a requirement has no test
 */

/**
 * @typedef {object} LevelCoverage
 * @property {number} total
 * @property {number} covered
 * @property {number} excused
 * @property {readonly string[]} missing
 */

const levels = /** @type {const} */ (['MUST', 'SHOULD', 'MAY', 'none'])

/** The areas that are built: each MUST and SHOULD of them has a test or a reason. Grows with the project. */
const builtAreas =
  'ARCH BASE META LIFE VER CAP TIME STDIO CUST CANC PING PROG ROOT SAMP ELIC PROMPT RES TOOL COMP LOG PAGE SCH DEC ' +
  'XREV R0326S R1105B HTTP HPOST HGET HMULTI HRES HSESS HVER HCOMPAT SEC SECX R0326 R1105 WS ' +
  'N07-STATE N07-ENV N07-VER N07-DISC N07-RES N07-ERR N07-DIR N07-MRTR N07-SUB N07-CANC N07-PROG N07-STDIO N07-HTTP N07-HDR ' +
  'N07-XHDR N07-CACHE N07-TOOL N07-RSC N07-PRM N07-PAGE N07-LOG N07-CMPL N07-ELI N07-SAMP N07-ROOT N07-JSCH N07-EXT N07-DEP ' +
  'N07-REM N07-COMP N07-T N07-XT N07-XA N07-AUTH ' +
  'AUTH ADISC ADCR ARES ATOK AERR ASEC AINH R0326A ' +
  'N11-BASE N11-META N11-JSCH N11-ICON N11-IMPL N11-CAP N11-STDIO N11-TOOL N11-ELI N11-URL N11-SAMP N11-T N11-HTTP N11-TASK N11-AUTH N11-RSC N11-CMPL ' +
  'HOST NS CHAT INSP CFG TUI PUI RUI SUI EUI ROOTUI AUI OBS REFS SDKS TRUST HDEC REG ROAD'

const usage = `npm run coverage:spec -- [options]

  --area A,B       only these areas
  --missing        list what is missing with its text, not only its id
  --require A,B    exit 1 if a MUST or SHOULD of these areas has neither a test nor a line
                   in docs/internals/requirements/not-tested.md, or if a test names an id that does not exist
  --built          the same for every area that is built
  --json           machine-readable
  --help           this text
`

/**
 * Counts per area and level.
 *
 * @param {Evidence} evidence
 * @returns {Map<string, Record<string, LevelCoverage>>} by area, in the catalogue's order
 */
export function summarize({ requirements, testFilesById, reasonsById }) {
  /** @type {Map<string, Record<string, LevelCoverage>>} */
  const areas = new Map()
  for (const area of new Set(requirements.map((one) => one.area))) {
    const entries = levels.map((level) => {
      const all = requirements.filter((one) => one.area === area && one.level === level)
      const untested = all.filter(({ id }) => !testFilesById.has(id))
      const missing = untested.filter(({ id }) => !reasonsById.has(id)).map(({ id }) => id)
      const excused = untested.length - missing.length
      return [level, { total: all.length, covered: all.length - untested.length, excused, missing }]
    })
    areas.set(area, Object.fromEntries(entries))
  }
  return areas
}

/**
 * Ids that tests or reasons name and the catalogue does not have, although it has the area: slips of the pen.
 *
 * @param {Evidence} evidence
 * @returns {string[]}
 */
export function findUnknownIds({ requirements, testFilesById, reasonsById }) {
  const known = new Set(requirements.map(({ id }) => id))
  const areas = new Set(requirements.map(({ area }) => area))
  return [...new Set([...testFilesById.keys(), ...reasonsById.keys()])]
    .filter((id) => areas.has(areaOf(id)) && !known.has(id))
    .toSorted()
}

/**
 * What keeps these areas from being complete, one sentence each; empty when they are.
 *
 * @param {Evidence} evidence
 * @param {readonly string[]} required
 * @returns {string[]}
 */
export function findShortfalls(evidence, required) {
  const areas = summarize(evidence)
  const shortfalls = findUnknownIds(evidence).map((id) => `${id} is not in the catalogue`)
  for (const id of evidence.reasonsById.keys()) {
    if (evidence.testFilesById.has(id))
      shortfalls.push(`${id} is named by a test: take its line out of not-tested.md`)
  }
  for (const area of required) {
    const coverage = areas.get(area)
    if (!coverage) shortfalls.push(`there is no area ${area}`)
    const missing = bindingOf(coverage)
    if (missing.length > 0) shortfalls.push(`${area} lacks ${compactIds(missing)}`)
  }
  return shortfalls
}

/** @returns {Requirement[]} of every page */
export function readCatalogue() {
  return listFiles(join(root, 'docs/internals/requirements'))
    .filter((file) => file.endsWith('.md') && basename(file) !== 'not-tested.md')
    .flatMap((file) => parseCatalogue(readFileSync(file, 'utf8')))
}

/** @returns {Evidence} */
export function readEvidence() {
  const notTested = join(root, 'docs/internals/requirements/not-tested.md')

  /** @type {Map<string, string[]>} */
  const testFilesById = new Map()
  for (const file of findTestFiles()) {
    for (const id of findTestedIds(file, readFileSync(file, 'utf8'))) {
      testFilesById.set(id, [...(testFilesById.get(id) ?? []), shortPath(file)])
    }
  }
  return {
    requirements: readCatalogue(),
    testFilesById,
    reasonsById: existsSync(notTested)
      ? parseNotTested(readFileSync(notTested, 'utf8'))
      : new Map(),
  }
}

function findTestFiles() {
  return ['packages', 'servers', 'examples', 'bench']
    .flatMap((folder) => listFiles(join(root, folder)))
    .filter((file) => shortPath(file).includes('/test/') && /\.[cm]?[jt]s$/.test(file))
}

/**
 * @param {Map<string, Record<string, LevelCoverage>>} areas
 * @returns {string}
 */
function renderTable(areas) {
  const rows = [['area', ...levels, 'excused', 'without test or reason (MUST, SHOULD)']]
  const sums = levels.map(() => ({ total: 0, covered: 0 }))
  let allExcused = 0
  for (const [area, coverage] of areas) {
    let excused = 0
    const cells = levels.map((level, index) => {
      const one = coverage[level]
      const sum = sums[index]
      if (!one || !sum || one.total === 0) return ''
      sum.total += one.total
      sum.covered += one.covered
      excused += one.excused
      return `${one.covered}/${one.total}`
    })
    allExcused += excused
    rows.push([
      area,
      ...cells,
      excused === 0 ? '' : String(excused),
      compactIds(bindingOf(coverage)),
    ])
  }
  rows.push([
    'all',
    ...sums.map(({ total, covered }) => `${covered}/${total}`),
    String(allExcused),
    '',
  ])
  return rows.map(([area = '', ...cells]) => renderRow(area, cells)).join('\n')
}

/**
 * What is missing and binding, in ascending order.
 *
 * @param {Record<string, LevelCoverage> | undefined} coverage
 */
function bindingOf(coverage) {
  return [
    ...(coverage?.['MUST']?.missing ?? []),
    ...(coverage?.['SHOULD']?.missing ?? []),
  ].toSorted()
}

/** @param {string} area @param {readonly string[]} cells */
function renderRow(area, cells) {
  return [area.padEnd(11), ...cells.map((cell) => cell.padEnd(9))].join('').trimEnd()
}

/** @param {string | undefined} list */
function splitList(list) {
  return (list ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
}

function main() {
  const { values } = parseArgs({
    options: {
      area: { type: 'string' },
      require: { type: 'string' },
      built: { type: 'boolean', default: false },
      missing: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(usage)

  const evidence = readEvidence()
  const required = [...splitList(values.require), ...(values.built ? builtAreas.split(' ') : [])]
  const wanted = new Set([...splitList(values.area), ...required])
  const areas = new Map(
    [...summarize(evidence)].filter(([area]) => wanted.size === 0 || wanted.has(area)),
  )
  const unknown = findUnknownIds(evidence)

  if (values.json)
    console.log(JSON.stringify({ areas: Object.fromEntries(areas), unknown }, null, 2))
  else console.log(values.missing ? renderMissing(evidence, areas) : renderTable(areas))
  for (const id of unknown) {
    console.error(
      `unknown id ${id}: ${evidence.testFilesById.get(id)?.join(', ') ?? 'not-tested.md'}`,
    )
  }

  if (required.length === 0) return undefined
  const shortfalls = findShortfalls(evidence, required)
  for (const shortfall of shortfalls) console.error(shortfall)
  if (shortfalls.length === 0) return undefined
  console.error(
    'name the id in the title of a test, or give a reason in docs/internals/requirements/not-tested.md',
  )
  return exit(1)
}

/**
 * The lines without test or reason, in the words of their page.
 *
 * @param {Evidence} evidence
 * @param {ReadonlyMap<string, Record<string, LevelCoverage>>} areas
 */
export function renderMissing({ requirements }, areas) {
  const missing = new Set(
    [...areas.values()].flatMap((coverage) =>
      levels.flatMap((level) => coverage[level]?.missing ?? []),
    ),
  )
  return requirements
    .filter(({ id }) => missing.has(id))
    .map(({ id, words, text }) => `${id.padEnd(13)} ${words.padEnd(10)} ${text}`)
    .join('\n')
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) main()

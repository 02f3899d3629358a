#!/usr/bin/env node
/** Everything that must hold before a change is done; `npm run check -- --help` lists the parts. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exit } from 'node:process'
import { parseArgs } from 'node:util'

import { runStep } from './run-step.mjs'
import { root } from './source-files.mjs'
import { readWorkspaces } from './workspaces.mjs'

/** @typedef {readonly [command: string, ...args: string[]]} Command */

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} promise what holds when it passes
 * @property {readonly Command[]} commands
 * @property {readonly Command[]} [fix] run instead with --fix
 * @property {string} cure
 */

/** @type {readonly Step[]} */
const steps = [
  {
    name: 'format',
    promise: 'every file is formatted',
    commands: [['oxfmt', '--check']],
    fix: [['oxfmt']],
    cure: 'npm run check -- --fix',
  },
  {
    name: 'build',
    promise: 'every package compiles',
    commands: [['node', 'scripts/build.mjs']],
    cure: 'correct the types',
  },
  {
    // After the build: pages see the packages they use as built.
    name: 'lint',
    promise: 'no lint finding, and correct types in sources, tests, pages, examples and scripts',
    commands: [['oxlint', '--type-aware', '--type-check']],
    fix: [['oxlint', '--type-aware', '--type-check', '--fix']],
    cure: 'npm run check -- --fix corrects what can be corrected without thought',
  },
  {
    name: 'types',
    promise: 'what tests with options of their own import has correct types',
    commands: findTypeProjects().map((project) => ['tsc', '-p', project, '--noEmit']),
    cure: 'correct the types',
  },
  {
    name: 'imports',
    promise:
      'imports follow the arrow between layers, without rings; folders of sources stay small',
    commands: [['node', 'scripts/import-direction.mjs']],
    cure: 'docs/architecture.md says why',
  },
  {
    name: 'packages',
    promise: 'every package that is published has what npm and its users need',
    commands: [['node', 'scripts/packages/check.mjs']],
    fix: [['node', 'scripts/packages/check.mjs', '--fix']],
    cure: 'npm run check -- --fix packages writes what follows from the root',
  },
  {
    name: 'api',
    promise: 'the reports in api/ say what the packages export',
    commands: [['node', 'scripts/api/check.mjs']],
    fix: [['node', 'scripts/api/check.mjs', '--write']],
    cure: 'npm run api writes them again; look at the difference (docs/releasing.md)',
  },
  {
    name: 'unused',
    promise: 'no unused file, export or dependency',
    commands: [['knip', '--no-config-hints']],
    cure: 'delete what nothing uses, or name it in knip.json with a reason in the commit',
  },
  {
    name: 'tests',
    promise: 'the fast tests pass (*.slow.test.ts run in npm test only)',
    commands: [['vitest', 'run', '--project', 'fast']],
    cure: 'npx vitest run <file> runs one of them',
  },
]

/** Projects of tests with compiler options of their own: the linter checks their files, but not every program they import. */
function findTypeProjects() {
  return readWorkspaces(root)
    .map(({ folder }) => `${folder}/test/tsconfig.json`)
    .filter((path) => existsSync(join(root, path)))
    .filter((path) => 'compilerOptions' in JSON.parse(readFileSync(join(root, path), 'utf8')))
}

/** @param {Step} step @param {boolean} isFixing */
async function run({ name, commands, fix, cure }, isFixing) {
  let seconds = 0
  const failures = []
  for (const [command, ...args] of isFixing && fix ? fix : commands) {
    const result = await runStep(command, args)
    seconds += result.seconds
    if (!result.isOk) failures.push(`${[command, ...args].join(' ')}\n${result.output.trimEnd()}`)
  }
  const isOk = failures.length === 0
  console.log(`${isOk ? '✓' : '✗'} ${name.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s`)
  if (!isOk) console.log(`\n${failures.join('\n')}\ncure: ${cure}\n`)
  return { name, isOk, seconds }
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      fix: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log('npm run check -- [--fix] [part …]\n')
    for (const { name, promise } of steps) console.log(`  ${name.padEnd(8)} ${promise}`)
    return
  }
  const unknown = positionals.find((name) => !steps.some((step) => step.name === name))
  if (unknown !== undefined) {
    console.error(`no part named ${unknown}; there are ${steps.map(({ name }) => name).join(', ')}`)
    exit(2)
  }

  const results = []
  for (const step of steps) {
    const isWanted = positionals.length === 0 || positionals.includes(step.name)
    if (isWanted) results.push(await run(step, values.fix))
  }
  const failed = results.filter(({ isOk }) => !isOk).map(({ name }) => name)
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0).toFixed(1)
  console.log(
    failed.length === 0
      ? `all good in ${seconds} s`
      : `failed: ${failed.join(', ')} (${seconds} s)`,
  )
  if (failed.length > 0) exit(1)
}

await main()

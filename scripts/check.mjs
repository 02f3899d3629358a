#!/usr/bin/env node
/**
 * What must hold before a change is done; `npm run check -- --help` lists the parts. Without arguments it looks at what has
 * changed since the branch left `main`, for about a minute; `--all` looks at everything, as `.ci/run` does.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { env, exit } from 'node:process'
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
 * @property {(changes: Changes) => readonly Command[]} [short] run instead when only changes are looked at
 * @property {string} cure
 */

/**
 * @typedef {object} Changes
 * @property {string} base the commit where the branch left `main`
 * @property {readonly string[]} files those that differ from it, and are still there
 */

/** Vitest ends after so many seconds when only changes are looked at, and says what it left. */
const testSeconds = 25

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
    short: ({ files }) => {
      const sources = files.filter((file) => /\.(?:[cm]?[jt]s|tsx)$/.test(file))
      return sources.length === 0 ? [] : [['oxlint', '--type-aware', '--type-check', ...sources]]
    },
    cure: 'npm run check -- --fix corrects what can be corrected without thought',
  },
  {
    name: 'types',
    promise: 'what tests with options of their own import has correct types',
    commands: findTypeProjects().map((project) => ['tsc', '-p', project, '--noEmit']),
    short: ({ files }) =>
      findTypeProjects()
        .filter((project) => files.some((file) => file.startsWith(dirname(project))))
        .map((project) => ['tsc', '-p', project, '--noEmit']),
    cure: 'correct the types',
  },
  {
    name: 'imports',
    promise: 'imports follow the arrow between layers, without rings',
    commands: [['node', 'scripts/import-direction.mjs']],
    cure: 'docs/internals/architecture.md says why',
  },
  {
    name: 'programs',
    promise: 'packages and servers start no program by its bare name',
    commands: [['node', 'scripts/bare-programs.mjs']],
    cure: 'take the full path from findProgram, resolveCommand or systemProgram of @parley/mcp/system',
  },
  {
    name: 'helpers',
    promise: 'helpers that every package needs are defined once',
    commands: [['node', 'scripts/leaf-helpers.mjs']],
    cure: 'import the helper from the entry that is named',
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
    cure: 'npm run api writes them again; look at the difference (docs/internals/releasing.md)',
  },
  {
    name: 'settings',
    promise: 'the schemas and docs of settings files say what the programs read',
    commands: [['node', 'scripts/settings.mjs']],
    fix: [['node', 'scripts/settings.mjs', '--write']],
    cure: 'npm run check -- --fix settings writes them again',
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
    commands: [['vitest', 'run', '--project', 'threads', '--project', 'fast']],
    short: ({ base }) => [
      ['vitest', 'run', '--project', 'threads', '--project', 'fast', '--changed', base],
    ],
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

/**
 * What differs from `main`: in commits of this branch, and not yet committed. On `main` itself the last commit counts.
 *
 * @returns {Changes}
 */
function findChanges() {
  const head = git('rev-parse', 'HEAD')
  const bases = ['origin/main', 'main', 'HEAD~1'].map((name) => git('merge-base', name, 'HEAD'))
  const base = bases.find((commit) => commit !== '' && commit !== head) ?? head
  const changed = git('diff', '--name-only', '--diff-filter=d', base).split('\n')
  const added = git('ls-files', '--others', '--exclude-standard').split('\n')
  return { base, files: [...changed, ...added].filter((file) => file !== '') }
}

/** What git answers, or nothing where it knows no such commit. @param {string[]} args */
function git(...args) {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return ''
  }
}

/** @param {Step} step @param {{ isFixing: boolean, changes: Changes | undefined }} options */
async function run({ name, commands, fix, short, cure }, { isFixing, changes }) {
  let seconds = 0
  const failures = []
  const chosen = isFixing && fix ? fix : changes && short ? short(changes) : commands
  let note = ''
  for (const [command, ...args] of chosen) {
    const result = await runStep(command, args)
    seconds += result.seconds
    note = /^The time of this run is over: (.+)$/m.exec(result.output)?.[1] ?? ''
    if (!result.isOk) failures.push(`${[command, ...args].join(' ')}\n${result.output.trimEnd()}`)
  }
  const isOk = failures.length === 0
  console.log(
    `${isOk ? '✓' : '✗'} ${name.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s  ${note}`.trimEnd(),
  )
  if (!isOk) console.log(`\n${failures.join('\n')}\ncure: ${cure}\n`)
  return { name, isOk, seconds }
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      fix: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log('npm run check -- [--all] [--fix] [part …]\n')
    console.log('  --all    everything, not only what has changed since the branch left main')
    console.log('  --fix    corrects what can be corrected without thought\n')
    for (const { name, promise } of steps) console.log(`  ${name.padEnd(8)} ${promise}`)
    return
  }
  const unknown = positionals.find((name) => !steps.some((step) => step.name === name))
  if (unknown !== undefined) {
    console.error(`no part named ${unknown}; there are ${steps.map(({ name }) => name).join(', ')}`)
    exit(2)
  }

  const changes = values.all ? undefined : findChanges()
  if (changes) {
    env['PARLEY_TEST_SECONDS'] ??= String(testSeconds)
    console.log(
      `${changes.files.length} files changed since ${changes.base.slice(0, 8)}; --all checks everything`,
    )
  }
  const results = []
  for (const step of steps) {
    const isWanted = positionals.length === 0 || positionals.includes(step.name)
    if (isWanted) results.push(await run(step, { isFixing: values.fix, changes }))
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

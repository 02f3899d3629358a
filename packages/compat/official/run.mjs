#!/usr/bin/env node
/**
 * Runs the official SDK's own tests on `@parley/compat`.
 *
 * `PARLEY_OFFICIAL_SDK=CHECKOUT node packages/compat/official/run.mjs [TESTS]`: a checkout of branch `v1.x` with its dependencies installed.
 * The checkout is copied, each file of its `src/` becomes one line that exports this package, and its tests are run. Build first.
 */

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { argv, env, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

const checkout = env['PARLEY_OFFICIAL_SDK']
if (checkout === undefined || !existsSync(join(checkout, 'node_modules/vitest'))) {
  console.error(
    'PARLEY_OFFICIAL_SDK must name a checkout of the official SDK, branch v1.x, with its dependencies installed',
  )
  exit(1)
}

const own = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = mkdtempSync(join(tmpdir(), 'parley-official-'))
const report = join(folder, 'report.json')
try {
  prepare(checkout, folder)
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
  const args = [
    'run',
    '--reporter=json',
    `--outputFile=${report}`,
    '--exclude',
    'test/conformance/**',
  ]
  spawnSync(execPath, [vitest, ...args, ...argv.slice(2)], { cwd: folder, stdio: 'ignore' })
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
  for (const { name, message, assertionResults } of testResults) {
    const file = name.slice(folder.length + 1)
    if (assertionResults.length === 0) console.log(`${file}: ${message.split('\n')[0]}`)
    for (const { status, fullName } of assertionResults) {
      if (status === 'failed') console.log(`${file}: ${fullName}`)
    }
  }
  console.log(`${numPassedTests} passed, ${numFailedTests} failed`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** @param {string} from @param {string} to */
function prepare(from, to) {
  for (const entry of [
    'src',
    'test',
    'vitest.config.ts',
    'vitest.setup.ts',
    'tsconfig.json',
    'package.json',
  ]) {
    if (existsSync(join(from, entry)))
      cpSync(join(from, entry), join(to, entry), { recursive: true })
  }
  const modules = join(to, 'node_modules')
  mkdirSync(join(modules, '@modelcontextprotocol'), { recursive: true })
  for (const name of readdirSync(join(from, 'node_modules'))) {
    if (name === '@modelcontextprotocol') continue
    symlinkSync(join(from, 'node_modules', name), join(modules, name))
  }
  symlinkSync(own, join(modules, '@modelcontextprotocol/sdk'))
  for (const file of readdirSync(join(to, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || /^(?:examples|__|spec\.types)/.test(file)) continue
    const path = file.replaceAll('\\', '/').replace(/\.ts$/, '.js')
    writeFileSync(join(to, 'src', file), `export * from '@modelcontextprotocol/sdk/${path}'\n`)
  }
}

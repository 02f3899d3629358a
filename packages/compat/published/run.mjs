#!/usr/bin/env node
/**
 * Runs published servers on the official SDK and on `@parley/compat`, and compares what they answer.
 *
 * `node packages/compat/published/run.mjs NAME[@VERSION] …` installs each from npm into a temporary folder. A server whose answers differ
 * between two runs on the official SDK is counted as unstable.
 */

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, exit } from 'node:process'
import { isDeepStrictEqual, promisify } from 'node:util'

import { recordTranscript } from './transcript.mjs'

const run = promisify(execFile)
const names = argv.slice(2)
if (names.length === 0) {
  console.error('usage: run.mjs PACKAGE[@VERSION] …')
  exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'parley-published-'))
let passed = 0
let failed = 0
try {
  for (const [index, name] of names.entries()) {
    const verdict = await compare(name, join(folder, String(index)))
    if (verdict === 'equal') passed++
    if (verdict === 'different') failed++
    console.log(`${name}: ${verdict}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
if (failed > 0) exit(1)

/** @param {string} name @param {string} prefix */
async function compare(name, prefix) {
  const file = await install(name, prefix).catch(() => undefined)
  if (file === undefined) return 'not installed'
  const official = await recordTranscript({ file }, 'official').catch(() => undefined)
  if (official === undefined) return 'does not start by itself'
  const own = await recordTranscript({ file }, 'parley').catch((error) => String(error))
  if (isDeepStrictEqual(own, official)) return 'equal'
  const again = await recordTranscript({ file }, 'official').catch(() => undefined)
  return isDeepStrictEqual(again, official) ? 'different' : 'unstable'
}

/** @param {string} name @param {string} prefix */
async function install(name, prefix) {
  // The comparison is with 1.32.2, whichever version the server would get.
  const overrides = { '@modelcontextprotocol/sdk': '1.32.2' }
  mkdirSync(prefix, { recursive: true })
  writeFileSync(join(prefix, 'package.json'), JSON.stringify({ private: true, overrides }))
  const args = ['install', '--prefix', prefix, '--ignore-scripts', '--no-audit', '--no-fund', name]
  await run('npm', args, { cwd: folder })
  const bare = name.replace(/(.)@[^/]*$/, '$1')
  const root = join(prefix, 'node_modules', bare)
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return join(root, typeof bin === 'string' ? bin : String(Object.values(bin)[0]))
}

#!/usr/bin/env node
/**
 * `node scripts/install-times.mjs [--rounds N] [NAME=FOLDER …] [PACKAGE …]`: what `npx` costs, interleaved. A folder holds
 * tarballs of `npm run pack`; without one, those of the working tree are packed. A package is one of the registry, such as
 * `mcporter`. Each round runs every candidate once with an empty cache and once more with the full one.
 */

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { argv, env } from 'node:process'
import { promisify } from 'node:util'

import { packAll } from './packages/stage.mjs'
import { serveTarballs } from './packages/tarball-registry.mjs'
import { programLine } from './program-line.mjs'

const given = argv.slice(2)
const at = given.indexOf('--rounds')
const rounds = at === -1 ? 3 : Number(given.splice(at, 2)[1])
const work = mkdtempSync(join(tmpdir(), 'parley-times-'))
const upstream = (await step('npm', ['config', 'get', 'registry'])).trim()

const folders = given.filter((word) => word.includes('=')).map((word) => word.split('='))
if (folders.length === 0) {
  await packAll(join(work, 'packed'))
  folders.push(['here', join(work, 'packed')])
}
/** @type {{ name: string, registry: string, wanted: string, close(): void }[]} */
const candidates = []
for (const [name = '', folder = ''] of folders) {
  candidates.push({
    name,
    wanted: '@parley/cli',
    ...(await serveTarballs(resolve(folder), upstream)),
  })
}
for (const wanted of given.filter((word) => !word.includes('='))) {
  candidates.push({ name: wanted, wanted, registry: upstream, close() {} })
}

/** @type {Map<string, number[]>} */
const times = new Map()
for (let round = 0; round < rounds; round += 1) {
  for (const { name, wanted, registry } of candidates) {
    const cache = mkdtempSync(join(work, 'cache-'))
    for (const kind of ['cold', 'warm']) {
      const from = performance.now()
      await step('npx', ['--yes', wanted, '--version'], {
        npm_config_registry: registry,
        npm_config_cache: cache,
      })
      note(`${name} ${kind} npx, s`, (performance.now() - from) / 1_000)
    }
    if (round === 0) {
      const installed = join(cache, '_npx')
      const lock = JSON.parse(
        readFileSync(join(installed, readdirSync(installed)[0] ?? '', 'package-lock.json'), 'utf8'),
      )
      note(`${name} packages`, Object.keys(lock.packages).filter((path) => path !== '').length)
      note(`${name} MB on disk`, sizeOf(installed) / 1e6)
    }
    rmSync(cache, { recursive: true })
  }
}
for (const { close } of candidates) close()
rmSync(work, { recursive: true, force: true })
for (const [what, values] of times) {
  const [least = 0] = values.toSorted((one, other) => one - other)
  console.log(
    `${what.padEnd(40)} ${least.toFixed(1).padStart(7)}   all: ${values.map((value) => value.toFixed(1)).join(' ')}`,
  )
}

/** @param {string} what @param {number} value */
function note(what, value) {
  times.set(what, [...(times.get(what) ?? []), value])
}

/** @param {string} path @returns {number} */
function sizeOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory() !== true) return stats?.size ?? 0
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

/** @param {string} command @param {readonly string[]} args @param {Readonly<Record<string, string>>} [more] */
async function step(command, args, more = {}) {
  const folder = join(work, 'empty')
  mkdirSync(folder, { recursive: true })
  const { file, args: words } = programLine(command, args, folder)
  const options = { cwd: folder, env: { ...env, ...more } }
  const { stdout } = await promisify(execFile)(file, [...words], options)
  return stdout
}

#!/usr/bin/env node
/** `npm run walk`: through which files one warm `tools/call` goes, and how often it moves between layers. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'

import { ranks } from './import-direction.mjs'
import { bundleMarked } from './walk/marked-bundle.mjs'
import { walks } from './walk/walks.mjs'

/**
 * @typedef {object} Walk
 * @property {string} title
 * @property {readonly string[]} files in the order in which they were first entered, below `src/`
 * @property {readonly string[]} layers as the call goes from one to the next
 */

/**
 * Traces every kind of call once.
 *
 * @returns {Promise<Walk[]>}
 */
async function walkAll() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-walk-'))
  try {
    const sdk = await bundleMarked(folder)
    const traced = []
    for (const { title, prepare } of walks) {
      const call = await prepare(sdk)
      for (let warm = 0; warm < 3; warm++) await call.run()
      const entered = await sdk.record(() => call.run())
      await call.close()
      traced.push({ title, files: filesOf(entered), layers: layersOf(entered) })
    }
    return traced
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @typedef {import('./walk/marked-bundle.mjs').Entered} Entered */

/** @param {readonly Entered[]} entered @returns {string[]} */
function filesOf(entered) {
  return [...new Set(entered.flatMap(({ file, calls }) => [file, ...filesOf(calls)]))]
}

/**
 * The layers as the call goes on from one to the next. What is called in layers further left and only gives something
 * back is a use of that layer, not a move.
 *
 * @param {readonly Entered[]} entered
 */
function layersOf(entered) {
  const layers = entered.flatMap((call) => way(call, undefined))
  return layers.filter((layer, index) => layer !== layers[index - 1])
}

/** Functions that only call what they are given are no place of their own. */
const combinators = new Set(['rpc/promise.ts'])

/** @param {Entered} call @param {string} [from] the caller's layer @returns {string[]} */
function way({ file, calls }, from) {
  const layer = combinators.has(file) ? from : layerOf(file)
  if (layer === undefined || layer === from) return calls.flatMap((inner) => way(inner, layer))
  if (from !== undefined && isUse({ file, calls }, from)) return []
  return [
    layer,
    ...calls.flatMap((inner) => way(inner, layer)),
    ...(from === undefined ? [] : [from]),
  ]
}

/** Whether a call out of a layer goes to layers further left only, or comes back from them. */
function isUse(/** @type {Entered} */ call, /** @type {string} */ from) {
  const reached = filesOf([call]).map(layerOf)
  const most = ranks[layerOf(call.file)] ?? 0
  return (
    most < Math.min(ranks[from] ?? 0, ranks['server'] ?? 0) &&
    reached.every((layer) => layer === from || (ranks[layer] ?? 0) <= most)
  )
}

/** @param {string} file */
function layerOf(file) {
  return file.split('/', 1)[0] ?? ''
}

async function main() {
  const isLong = argv.includes('--files')
  for (const { title, files, layers } of await walkAll()) {
    console.log(`${title}: ${files.length} files, ${layers.length - 1} moves between layers`)
    console.log(`  ${layers.join(' → ')}`)
    if (isLong) for (const file of files) console.log(`  ${file}`)
  }
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) await main()

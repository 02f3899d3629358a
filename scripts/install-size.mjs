/** What an installation of a package of ours brings. */

import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readPublished } from './packages/published.mjs'
import { stagePackage } from './packages/stage.mjs'
import { runStep } from './run-step.mjs'
import { root } from './source-files.mjs'

/**
 * Packages and bytes on disk, with dependencies and without optional peers.
 *
 * @param {string} folder of a package of this repository
 * @returns {Promise<{ packages: number, bytes: number }>}
 */
export async function measureInstall(folder) {
  const names = dependenciesOf(join(root, folder))
  const sizes = names.map((name) => sizeOf(join(root, 'node_modules', name)))
  return {
    packages: 1 + names.length,
    bytes: (await publishedBytes(folder)) + sizes.reduce((sum, size) => sum + size, 0),
  }
}

/** What an installation of `@parley/cli` may bring. */
export const maxProgram = { packages: 8, bytes: 15_000_000 }

/**
 * The same of a program, whose tarball leaves out what is for this repository alone.
 *
 * @param {string} folder
 * @returns {Promise<{ packages: number, bytes: number }>}
 */
export async function measureProgramInstall(folder) {
  const published = readPublished().find((one) => one.folder === folder)
  if (published === undefined) throw new Error(`${folder} is not published`)
  const stage = mkdtempSync(join(tmpdir(), 'parley-size-'))
  try {
    stagePackage(published, stage)
    const names = dependenciesOf(stage)
    const sizes = names.map((name) => sizeOf(join(root, 'node_modules', name)))
    const bytes = sizeOf(stage) + sizes.reduce((sum, size) => sum + size, 0)
    return { packages: 1 + names.length, bytes }
  } finally {
    rmSync(stage, { recursive: true })
  }
}

/** @param {string} folder */
async function publishedBytes(folder) {
  const { isOk, output } = await runStep('npm', ['pack', '--dry-run', '--json', `./${folder}`])
  if (!isOk) throw new Error(output)
  // Warnings of npm come before its answer.
  const [{ unpackedSize }] = JSON.parse(output.slice(output.indexOf('[\n')))
  return Number(unpackedSize)
}

/** @param {string} directory @returns {string[]} names, each once */
function dependenciesOf(directory) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  const names = Object.keys(dependencies)
  const further = names.flatMap((name) => dependenciesOf(join(root, 'node_modules', name)))
  return [...new Set([...names, ...further])]
}

/** @param {string} path @returns {number} */
function sizeOf(path) {
  const stats = lstatSync(path)
  if (!stats.isDirectory()) return stats.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

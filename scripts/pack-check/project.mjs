/** An empty project somewhere else, with our packages installed from their tarballs. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { packAll } from '../packages/stage.mjs'
import { root } from '../source-files.mjs'
import { run } from './command.mjs'

/**
 * @typedef {object} Project
 * @property {string} folder
 * @property {readonly import('../packages/stage.mjs').Tarball[]} tarballs
 * @property {(path: string, text: string) => string} write makes a file and returns its path
 * @property {() => void} remove
 */

/**
 * @param {{ install: boolean }} options without `install` there are tarballs only
 * @returns {Promise<Project>}
 */
export async function createProject({ install }) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-pack-check-'))
  const tarballs = await packAll(join(folder, 'tarballs'))
  /** @type {Project['write']} */
  const write = (path, text) => {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
    return target
  }
  write('package.json', JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  if (install) {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const others = ['zod', 'ws'].map((name) => `${name}@${devDependencies[name]}`)
    const ours = tarballs.map(({ path }) => path)
    const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--silent']
    await run(['npm', 'install', ...flags, ...ours, ...others], { cwd: folder })
  }
  return { folder, tarballs, write, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** From the packages of the repository to the tarballs a user installs. */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import { runStep } from '../run-step.mjs'
import { root } from '../source-files.mjs'
import { isProgram, publishedManifest, readPublished } from './published.mjs'

/** @typedef {import('./published.mjs').Published} Published */

/**
 * Copies what is published of a package, with the manifest a user gets.
 *
 * @param {Published} published
 * @param {string} destination
 */
export function stagePackage({ directory, manifest }, destination) {
  mkdirSync(destination, { recursive: true })
  cpSync(join(directory, 'dist'), join(destination, 'dist'), {
    recursive: true,
    filter: (path) =>
      !basename(path).startsWith('.') && !(isProgram(manifest) && path.endsWith('.d.ts')),
  })
  for (const file of ['README.md', 'LICENSE']) {
    writeFileSync(join(destination, file), readFileSync(join(directory, file)))
  }
  const text = JSON.stringify(publishedManifest(manifest), undefined, 2)
  writeFileSync(join(destination, 'package.json'), `${text}\n`)
}

/**
 * @typedef {object} Tarball
 * @property {string} name
 * @property {string} version
 * @property {string} path
 * @property {readonly string[]} files
 * @property {number} unpackedSize
 */

/**
 * Packs every package that is published, or those that are named. They must be built.
 *
 * @param {string} destination of the tarballs
 * @param {string} [from] the root of the repository
 * @param {readonly string[]} [names]
 * @returns {Promise<Tarball[]>}
 */
export async function packAll(destination, from = root, names) {
  const packages = readPublished(from).filter(
    ({ manifest }) => names?.includes(manifest['name']) ?? true,
  )
  const stage = mkdtempSync(join(tmpdir(), 'parley-stage-'))
  mkdirSync(destination, { recursive: true })
  try {
    const folders = packages.map((one) => {
      const folder = join(stage, one.folder)
      stagePackage(one, folder)
      return folder
    })
    const args = ['pack', ...folders, '--json', '--silent', '--pack-destination', destination]
    const { isOk, output } = await runStep('npm', args)
    if (!isOk) throw new Error(output)
    return readAnswer(output).map(({ name, version, filename, files, unpackedSize }) => ({
      name,
      version,
      path: join(destination, filename),
      files: files.map(({ path }) => path),
      unpackedSize,
    }))
  } finally {
    rmSync(stage, { recursive: true })
  }
}

/**
 * Warnings of npm come before its answer. Since npm 12 that is an object by name.
 *
 * @param {string} output
 * @returns {{ name: string, version: string, filename: string, files: { path: string }[], unpackedSize: number }[]}
 */
function readAnswer(output) {
  const [, text = ''] = /^([[{]\n[\s\S]*)/m.exec(output) ?? []
  return Object.values(JSON.parse(text))
}

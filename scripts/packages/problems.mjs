/** What is wrong with the packages as a user would get them. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import { root } from '../source-files.mjs'
import { commonKeywords, derivedFields, fileAddress } from './description.mjs'
import { namedFiles, publishedManifest, readManifest, readPublished } from './published.mjs'

/** @typedef {import('./published.mjs').Published} Published */
/** @typedef {import('./published.mjs').Manifest} Manifest */

/**
 * One line for each problem: the file, what is wrong, and what to write.
 *
 * @param {string} [from] the root of the repository
 * @returns {string[]}
 */
export function findProblems(from = root) {
  const rootManifest = readManifest(from)
  const license = readFileSync(join(from, 'LICENSE'), 'utf8')
  const packages = readPublished(from)
  const versions = new Map(packages.map(({ name, manifest }) => [name, manifest['version']]))
  return packages.flatMap((one) => [
    ...fieldProblems(one, rootManifest),
    ...licenseProblems(one, license),
    ...readmeProblems(one, rootManifest),
    ...targetProblems(one),
    ...versionProblems(one, versions),
  ])
}

/**
 * Writes the fields that follow from the root, and the licence; the rest is for people.
 *
 * @param {string} [from]
 */
export function mendPackages(from = root) {
  const rootManifest = readManifest(from)
  for (const { folder, directory, manifest } of readPublished(from)) {
    const mended = { ...manifest, ...derivedFields(rootManifest, folder) }
    if (!isDeepStrictEqual(mended, manifest)) {
      writeFileSync(join(directory, 'package.json'), `${JSON.stringify(mended, undefined, 2)}\n`)
    }
    writeFileSync(join(directory, 'LICENSE'), readFileSync(join(from, 'LICENSE'), 'utf8'))
  }
}

/** @param {Published} published @param {Manifest} rootManifest */
function fieldProblems({ folder, manifest }, rootManifest) {
  const wrong = Object.entries(derivedFields(rootManifest, folder))
    .filter(([field, wanted]) => !isDeepStrictEqual(manifest[field], wanted))
    .map(([field, wanted]) => `${folder}/package.json: ${field} must be ${JSON.stringify(wanted)}`)
  /** @type {readonly string[]} */
  const keywords = manifest['keywords'] ?? []
  const isFound = commonKeywords.every((word) => keywords.includes(word))
  if (!isFound || keywords.length < commonKeywords.length + 2) {
    wrong.push(
      `${folder}/package.json: keywords must have ${commonKeywords.join(', ')}, and at least two of its own`,
    )
  }
  if (typeof manifest['description'] !== 'string' || manifest['description'] === '') {
    wrong.push(`${folder}/package.json: description is missing: write one sentence`)
  }
  return wrong
}

/** @param {Published} published @param {string} license */
function licenseProblems({ folder, directory }, license) {
  const path = join(directory, 'LICENSE')
  const isEqual = existsSync(path) && readFileSync(path, 'utf8') === license
  return isEqual ? [] : [`${folder}/LICENSE: must be a copy of the root's LICENSE`]
}

/** npm shows a README where relative links lead nowhere. @param {Published} published @param {Manifest} rootManifest */
function readmeProblems({ folder, directory }, rootManifest) {
  const path = join(directory, 'README.md')
  if (!existsSync(path)) return [`${folder}/README.md: is missing`]
  const prose = readFileSync(path, 'utf8').replaceAll(/^```.*?^```$/gms, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) =>
    /^(https:|#)/.test(link)
      ? []
      : [
          `${folder}/README.md: ${link} is relative: write ${fileAddress(rootManifest)} and the path from the root`,
        ],
  )
}

/** @param {Published} published */
function targetProblems({ folder, directory, manifest }) {
  return namedFiles(publishedManifest(manifest)).flatMap((path) => {
    if (!/^(?:\.\/)?dist\//.test(path)) {
      return [`${folder}/package.json: ${path} is not published: only dist is`]
    }
    return existsSync(join(directory, path))
      ? []
      : [`${folder}/package.json: ${path} is not there: run npm run build, or correct the path`]
  })
}

/** Has the version of the release it equals, and two digits more: npm refuses an alias whose version misses a peer range. */
const versionedByAnother = '@parley/compat'

/**
 * All packages but one have one version, and depend on exactly that.
 *
 * @param {Published} published
 * @param {ReadonlyMap<string, string>} versions
 */
function versionProblems({ name, folder, manifest }, versions) {
  const needed = [
    ...Object.entries(manifest['dependencies'] ?? {}),
    ...Object.entries(manifest['devDependencies'] ?? {}),
    [name, manifest['version']],
  ]
  const [common] = versions.values()
  return needed
    .filter(
      ([other, version]) =>
        other !== versionedByAnother && versions.has(other) && version !== common,
    )
    .map(
      ([other, version]) =>
        `${folder}/package.json: ${other} is ${version}, but all packages have version ${common}`,
    )
}

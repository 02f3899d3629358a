#!/usr/bin/env node
/** Says which builds for other platforms are missing from the lock files; CONTRIBUTING.md says how to remake them. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exit } from 'node:process'
import { pathToFileURL } from 'node:url'

import { root } from './source-files.mjs'

/** The site has its own, so that nobody else installs what it needs. */
export const lockFiles = ['package-lock.json', 'site/package-lock.json']

/** @param {string} file */
export function readLock(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}

/**
 * @param {{ packages: Readonly<Record<string, { optionalDependencies?: Readonly<Record<string, string>> }>> }} lock
 * @returns {string[]} one line for each package that lacks some
 */
export function findMissingPlatforms({ packages }) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => {
    const names = Object.keys(optionalDependencies)
    const missing = names.filter((name) => !isFound(name, path))
    return missing.length === 0
      ? []
      : [`${path}: ${missing.length} of ${names.length} are missing: ${missing.join(', ')}`]
  })

  /** As Node looks for it: beside the package, then further out. @param {string} name @param {string} path @returns {boolean} */
  function isFound(name, path) {
    if (packages[`${path === '' ? '' : `${path}/`}node_modules/${name}`] !== undefined) return true
    if (path === '') return false
    const parent = path.lastIndexOf('/node_modules/')
    return isFound(name, parent < 0 ? '' : path.slice(0, parent))
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const missing = lockFiles.flatMap((file) =>
    findMissingPlatforms(readLock(file)).map((line) => `${file}: ${line}`),
  )
  for (const line of missing) console.error(line)
  if (missing.length > 0) exit(1)
}

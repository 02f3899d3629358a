/**
 * What a package promises to those who import it: the names of each entry, and every declaration that these lead to.
 * Files do not matter, so that code can move without a change of the report.
 */

import { join, posix } from 'node:path'

import { publishedManifest, readPublished } from '../packages/published.mjs'
import { root } from '../source-files.mjs'
import { readDeclarations, resolveDeclaration } from './declarations.mjs'

/** @typedef {import('./declarations.mjs').Place} Place */

/** The interface of another package: what it has to be is decided there, and tests compare the two. */
const others = '@parley/compat'

/**
 * The report of each package, by its path relative to the root.
 *
 * @returns {Map<string, string>}
 */
export function makeReports() {
  return new Map(
    readPublished(root)
      .filter(({ name }) => name !== others)
      .filter(({ manifest }) => publishedManifest(manifest)['exports'] !== undefined)
      .map((one) => [`api/${one.name.replace('@parley/', '')}.md`, describePackage(one)]),
  )
}

/** @param {import('../packages/published.mjs').Published} published */
export function describePackage({ name, directory, manifest }) {
  /** @type {Place[]} */
  const places = []
  const promised = Object.entries(manifest['exports']).filter(
    ([path]) => !path.startsWith('./internal'),
  )
  const entries = promised.map(([subpath, target]) => {
    const file = join(directory, target.types)
    const names = [...readDeclarations(file).exported.keys()].toSorted(byName)
    places.push(...names.map((exported) => ({ file, name: exported })))
    return [`### ${posix.join(name, subpath)}`, '', '```text', ...names, '```', ''].join('\n')
  })
  return [
    `# API of ${name}`,
    '',
    'Written by `npm run api`. A change here is a change for users: see [releasing](../docs/internals/releasing.md).',
    '',
    '## Entries',
    '',
    ...entries,
    '## Declarations',
    '',
    '```ts',
    declarationsOf(places).join('\n\n'),
    '```',
    '',
  ].join('\n')
}

/** Each once, by name. @param {readonly Place[]} places */
function declarationsOf(places) {
  /** @type {Map<string, { name: string, text: string }>} */
  const reached = new Map()
  const waiting = [...places]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const found = findDeclaration(place)
    if (found === undefined) continue
    const key = `${found.file}\0${found.name}`
    if (reached.has(key)) continue
    const { text, mentioned } = explain(found)
    reached.set(key, { name: found.name, text })
    waiting.push(...mentioned)
  }
  return [...reached.values()]
    .toSorted((a, b) => byName(a.name, b.name) || byName(a.text, b.text))
    .map(({ text }) => text)
    .filter((text, index, all) => text !== all[index - 1])
}

/** Follows re-exports to where it is declared. @param {Place} place @returns {Place | undefined} */
function findDeclaration({ file, name }) {
  const { declared, imported, exported } = readDeclarations(file)
  if (declared.has(name)) return { file, name }
  const next = exported.get(name) ?? imported.get(name)
  if (next === undefined || (next.file === file && next.name === name)) return undefined
  return findDeclaration(next)
}

/** The text of a declaration, where others have the names they were declared by, and the names of ours in it. @param {Place} place */
function explain({ file, name }) {
  const { declared, imported } = readDeclarations(file)
  /** @type {Place[]} */
  const mentioned = []
  const text = (declared.get(name) ?? '').replaceAll(
    /import\(["'](\.[^"']+)["']\)\.(\w+)/g,
    (whole, specifier, other) => {
      const target = resolveDeclaration(file, specifier)
      if (target === undefined) return whole
      mentioned.push({ file: target, name: other })
      return other
    },
  )
  const shown = text.replaceAll(/[A-Za-z_$][\w$]*/g, (word) => {
    if (word === name) return word
    const place = imported.get(word) ?? (declared.has(word) ? { file, name: word } : undefined)
    if (place === undefined) return word
    mentioned.push(place)
    return place.name === '*' ? word : place.name
  })
  return { text: shown, mentioned }
}

/** In the same order on every machine. @param {string} a @param {string} b */
function byName(a, b) {
  if (a === b) return 0
  return a < b ? -1 : 1
}

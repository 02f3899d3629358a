/** One file of declarations: what it declares, imports and exports. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { parseSync } from 'oxc-parser'

import { isRecord, visitNodes } from '../imports.mjs'

/**
 * @typedef {object} Place a name in another file
 * @property {string} file
 * @property {string} name
 */

/**
 * @typedef {object} DeclarationFile
 * @property {ReadonlyMap<string, string>} declared the text of each declaration by name, without comments; overloads
 *   and merged interfaces are one text
 * @property {ReadonlyMap<string, Place>} imported by the name it has here
 * @property {ReadonlyMap<string, Place>} exported by the name others use; what is declared here is in this file
 */

/** @type {Map<string, DeclarationFile>} */
const known = new Map()

/**
 * @param {string} path of a `.d.ts`
 * @returns {DeclarationFile}
 */
export function readDeclarations(path) {
  const found = known.get(path) ?? parseDeclarations(path)
  known.set(path, found)
  return found
}

/**
 * The file that a relative import means, if it is one of ours.
 *
 * @param {string} path of the file that imports
 * @param {string} specifier
 */
export function resolveDeclaration(path, specifier) {
  if (!specifier.startsWith('.')) return undefined
  const file = join(dirname(path), specifier.replace(/\.(ts|js)$/, '.d.ts'))
  return existsSync(file) ? file : undefined
}

/** @param {string} path @returns {DeclarationFile} */
function parseDeclarations(path) {
  const text = readFileSync(path, 'utf8')
  const { program, comments } = parseSync(path, text)
  /** @type {Map<string, string>} */
  const declared = new Map()
  /** @type {Map<string, Place>} */
  const imported = new Map()
  /** @type {Map<string, Place>} */
  const exported = new Map()
  for (const statement of program.body) readStatement(statement)
  return { declared, imported, exported }

  /** @param {import('oxc-parser').Statement} statement */
  function readStatement(statement) {
    if (statement.type === 'ImportDeclaration') {
      const file = resolveDeclaration(path, statement.source.value)
      if (file === undefined) return
      for (const one of statement.specifiers) {
        const name = one.type === 'ImportSpecifier' ? nameOf(one.imported) : '*'
        imported.set(one.local.name, { file, name })
      }
    } else if (statement.type === 'ExportNamedDeclaration' && statement.declaration === null) {
      const file =
        statement.source === null ? path : resolveDeclaration(path, statement.source.value)
      for (const { local, exported: name } of statement.specifiers) {
        exported.set(nameOf(name), { file: file ?? path, name: nameOf(local) })
      }
    } else if (statement.type === 'ExportNamedDeclaration') {
      for (const name of declare(statement.declaration, statement)) {
        exported.set(name, { file: path, name })
      }
    } else if (statement.type === 'ExportAllDeclaration') {
      const file = resolveDeclaration(path, statement.source.value)
      const names = file === undefined ? [] : readDeclarations(file).exported.keys()
      for (const name of names) exported.set(name, { file: file ?? path, name })
    } else {
      declare(statement, statement)
    }
  }

  /** @param {any} node @param {{ start: number, end: number }} range @returns {string[]} */
  function declare(node, range) {
    /** @type {string[]} */
    const names =
      node.type === 'VariableDeclaration'
        ? node.declarations.map((/** @type {any} */ one) => one.id.name)
        : [node.id?.name].filter((name) => name !== undefined)
    const shown = withoutParts(range, [...comments, ...internalMembers(node)])
    for (const name of names) {
      const before = declared.get(name)
      declared.set(name, before === undefined ? shown : `${before}\n${shown}`)
    }
    return names
  }

  /** @param {Range} range @param {readonly Range[]} parts */
  function withoutParts({ start, end }, parts) {
    let at = start
    let kept = ''
    for (const part of parts.toSorted((a, b) => a.start - b.start)) {
      if (part.start < at || part.end > end) continue
      kept += text.slice(at, part.start)
      at = part.end
    }
    return tidy(kept + text.slice(at, end))
  }
}

/** @typedef {{ readonly start: number, readonly end: number }} Range */

/** What our own parts know of each other; nobody else may use it, and it changes with every release. */
const internalNames = new Set(['~client', '~server', '~serve', '~definition'])

/** @param {unknown} declaration @returns {Range[]} */
function internalMembers(declaration) {
  /** @type {Range[]} */
  const found = []
  visitNodes(declaration, (node) => {
    const { key, start, end } = node
    const isInternal = isRecord(key) && internalNames.has(String(key['value']))
    if (isInternal) found.push({ start: Number(start), end: Number(end) })
    return !isInternal
  })
  return found
}

/** Indented by two spaces, without empty lines and without words that say nothing here. @param {string} text */
function tidy(text) {
  return text
    .replace(/^export /, '')
    .replace(/^declare /, '')
    .replace(/^[ \t]*\n/gm, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/^(?:\t| {4})+/gm, (indent) => '  '.repeat(indent.replaceAll('    ', '\t').length))
}

/** @param {import('oxc-parser').ModuleExportName} name */
function nameOf(name) {
  return name.type === 'Literal' ? name.value : name.name
}

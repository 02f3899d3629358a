/**
 * What `require` gets of a package: for each entry with a `require` condition a file that requires the ES module, so
 * that there is one copy of everything however it is loaded, and declarations that a CommonJS file may import.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { parseSync } from 'oxc-parser'

/**
 * Writes the `.cjs` and `.d.cts` files that a package's `exports` name. Its declarations must be there.
 *
 * @param {string} directory of the package
 */
export function writeCommonJsEntries(directory) {
  const { exports } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  for (const { require: commonJs, types, default: module } of Object.values(exports)) {
    if (commonJs === undefined) continue
    const target = `./${basename(module)}`
    const declarations = describeExports(join(directory, types), target)
    replaceFile(
      join(directory, commonJs.default),
      `'use strict'\nmodule.exports = require('${target}')\n`,
    )
    replaceFile(join(directory, commonJs.types), declarations)
  }
}

/**
 * The same for a package whose entries are not lists: its declarations are copied, each importing the copy of the other.
 *
 * @param {string} directory of the package
 */
export function writeCommonJsCopies(directory) {
  const { exports } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  const dist = join(directory, 'dist')
  const wanted = new Set()
  for (const { require: commonJs, default: module } of Object.values(exports)) {
    if (commonJs === undefined) continue
    const path = join(directory, commonJs.default)
    wanted.add(path)
    replaceFile(path, `'use strict'\nmodule.exports = require('./${basename(module)}')\n`)
  }
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue
    const text = readFileSync(join(dist, file), 'utf8')
    const path = join(dist, file.replace(/\.d\.ts$/, '.d.cts'))
    wanted.add(path)
    replaceFile(
      path,
      text.replaceAll(/(from |import\()(['"]\.[^'"]*)\.(?:ts|js)(['"])/g, '$1$2.cjs$3'),
    )
  }
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const path = join(dist, file)
    if (/\.(?:cjs|d\.cts)$/.test(file) && !wanted.has(path)) rmSync(path)
  }
}

/**
 * A CommonJS file may import only the types of an ES module, so each value is declared again by its type.
 *
 * @param {string} entry a `.d.ts` that lists what it exports
 * @param {string} target the module as the new declarations name it
 */
function describeExports(entry, target) {
  const { values, types } = listExports(entry)
  const source = `'${target}' with { 'resolution-mode': 'import' }`
  return [
    ...(values.length > 0 ? [`import type * as entry from ${source}`] : []),
    ...(types.length > 0 ? [`export type { ${types.join(', ')} } from ${source}`] : []),
    ...values.flatMap(({ name, isClass }) => [
      `export declare const ${name}: typeof entry.${name}`,
      ...(isClass ? [`export type ${name} = entry.${name}`] : []),
    ]),
    '',
  ].join('\n')
}

/** @param {string} entry */
function listExports(entry) {
  /** @type {string[]} */
  const types = []
  /** @type {{ name: string, isClass: boolean }[]} */
  const values = []
  for (const statement of parseSync(entry, readFileSync(entry, 'utf8')).program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || statement.source === null) {
      throw new Error(`${entry}: an entry must be a list of export { … } from '…'`)
    }
    const from = join(dirname(entry), statement.source.value.replace(/\.(ts|js)$/, '.d.ts'))
    for (const specifier of statement.specifiers) {
      const name = nameOf(specifier.exported)
      if (statement.exportKind === 'type' || specifier.exportKind === 'type') types.push(name)
      else values.push({ name, isClass: declaresClass(from, nameOf(specifier.local)) })
    }
  }
  return { types, values }
}

/** @param {import('oxc-parser').ModuleExportName} name */
function nameOf(name) {
  return name.type === 'Literal' ? name.value : name.name
}

/** @param {string} path @param {string} name */
function declaresClass(path, name) {
  return new RegExp(`^export declare (?:abstract )?class ${name}\\b`, 'm').test(
    readFileSync(path, 'utf8'),
  )
}

/** Left alone when it is right, so that what depends on it is not built again. @param {string} path @param {string} text */
function replaceFile(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

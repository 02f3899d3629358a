/** What a source file imports, from a real parse: comments and strings that look like imports do not count. */

import { parseSync } from 'oxc-parser'

/**
 * @typedef {object} Import
 * @property {string} specifier what is imported, as written
 * @property {number} line
 * @property {'static' | 'dynamic' | 'type'} kind `type` leaves no trace in the compiled file
 */

/**
 * Every import of a file: `import`, `export … from`, `import()` of a literal and `import('…')` in a type.
 *
 * @param {string} path
 * @param {string} text
 * @returns {Import[]}
 */
export function findImports(path, text) {
  const known = parsed.get(path)
  if (known?.text === text) return known.imports
  const imports = parseImports(path, text)
  parsed.set(path, { text, imports })
  return imports
}

/**
 * Parsing is what takes the time, and several checks look at the same file.
 *
 * @type {Map<string, { text: string, imports: Import[] }>}
 */
const parsed = new Map()

/**
 * From the parser's list of imports: making objects of the whole syntax tree takes ten times as long. Only `import('…')` in a
 * type is not on the list.
 *
 * @param {string} path
 * @param {string} text
 * @returns {Import[]}
 */
function parseImports(path, text) {
  const file = parseSync(path, text) // a broken file is the compiler's to report
  const { staticImports, staticExports, dynamicImports } = file.module
  /** @type {(Omit<Import, 'line'> & { start: number })[]} */
  const found = []
  for (const { start, moduleRequest, entries } of staticImports) {
    found.push({ start, specifier: moduleRequest.value, kind: kindOf(entries) })
  }
  for (const { start, entries } of staticExports) {
    const from = entries[0]?.moduleRequest
    // What was imported by name and is exported by name has that import's.
    if (from && from.start > start)
      found.push({ start, specifier: from.value, kind: kindOf(entries) })
  }
  for (const { start, moduleRequest } of dynamicImports) {
    const [, specifier] =
      /^['"](.*)['"]$/.exec(text.slice(moduleRequest.start, moduleRequest.end)) ?? []
    if (specifier !== undefined) found.push({ start, specifier, kind: 'dynamic' })
  }
  const calls = text.match(/\bimport\s*\(/g)?.length ?? 0
  if (/\.[cm]?tsx?$/.test(path) && calls > dynamicImports.length)
    found.push(...importsInTypes(file.program))
  return found
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, specifier, kind }) => ({ specifier, kind, line: lineAt(text, start) }))
}

/** `import type { A }`, or `import { type A }` with nothing but types in it. @param {readonly { isType: boolean }[]} entries */
function kindOf(entries) {
  return entries.length > 0 && entries.every(({ isType }) => isType) ? 'type' : 'static'
}

/** @param {unknown} program */
function importsInTypes(program) {
  /** @type {(Omit<Import, 'line'> & { start: number })[]} */
  const found = []
  visitNodes(program, ({ type, source, start }) => {
    const specifier = isRecord(source) ? source['value'] : undefined
    if (type === 'TSImportType' && typeof specifier === 'string')
      found.push({ start: Number(start), specifier, kind: 'type' })
    return true
  })
  return found
}

/**
 * Calls `visit` for each node of a syntax tree, parents first; a node for which it returns false is not entered.
 *
 * @param {unknown} value
 * @param {(node: Record<string, unknown>) => boolean} visit
 */
export function visitNodes(value, visit) {
  if (Array.isArray(value)) {
    for (const item of value) visitNodes(item, visit)
  } else if (isRecord(value)) {
    if (typeof value['type'] === 'string' && !visit(value)) return
    for (const child of Object.values(value)) visitNodes(child, visit)
  }
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The line of an offset, counted from one.
 *
 * @param {string} text
 * @param {number} offset
 */
function lineAt(text, offset) {
  return text.slice(0, offset).split('\n').length
}

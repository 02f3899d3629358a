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

/** @param {string} path @param {string} text @returns {Import[]} */
function parseImports(path, text) {
  const { program } = parseSync(path, text) // a broken file is the compiler's to report
  /** @type {Import[]} */
  const imports = []
  visitNodes(program, (node) => {
    const found = importOf(node)
    if (found) imports.push({ ...found, line: lineAt(text, Number(node['start'])) })
    return true
  })
  return imports
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

/**
 * @param {Record<string, unknown>} node
 * @returns {Omit<Import, 'line'> | undefined}
 */
function importOf(node) {
  const { type, source, specifiers, importKind, exportKind } = node
  const specifier = isRecord(source) ? source['value'] : undefined
  if (typeof specifier !== 'string') return undefined

  switch (type) {
    case 'ImportDeclaration':
      return { specifier, kind: isErased(importKind, specifiers, 'importKind') ? 'type' : 'static' }
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return { specifier, kind: isErased(exportKind, specifiers, 'exportKind') ? 'type' : 'static' }
    case 'ImportExpression':
      return { specifier, kind: 'dynamic' }
    case 'TSImportType':
      return { specifier, kind: 'type' }
    default:
      return undefined
  }
}

/**
 * `import type { A }`, or `import { type A }` with nothing but types in it.
 *
 * @param {unknown} kind
 * @param {unknown} specifiers
 * @param {'importKind' | 'exportKind'} key
 */
function isErased(kind, specifiers, key) {
  if (kind === 'type') return true
  if (!Array.isArray(specifiers) || specifiers.length === 0) return false
  return specifiers.every((one) => isRecord(one) && one[key] === 'type')
}

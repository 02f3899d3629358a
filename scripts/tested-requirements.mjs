/** Which requirement ids the titles of a test file name. */

import { parseSync } from 'oxc-parser'

import { isRecord, visitNodes } from './imports.mjs'
import { findBracketedIds } from './requirement-ids.mjs'

/**
 * Ids in brackets inside the strings of a test file, so that titles from a table count too. Comments do
 * not count, nor anything inside `skip` and `todo`: such a test shows nothing.
 *
 * @param {string} path
 * @param {string} text
 * @returns {Set<string>}
 */
export function findTestedIds(path, text) {
  /** @type {Set<string>} */
  const ids = new Set()
  visitNodes(parseSync(path, text).program, (node) => {
    if (isSkippedCall(node)) return false
    for (const id of findBracketedIds(stringOf(node) ?? '')) ids.add(id)
    return true
  })
  return ids
}

/** @param {Record<string, unknown>} node */
function stringOf({ type, value }) {
  if (type === 'Literal' && typeof value === 'string') return value
  const cooked = type === 'TemplateElement' && isRecord(value) ? value['cooked'] : undefined
  return typeof cooked === 'string' ? cooked : undefined
}

/** @param {Record<string, unknown>} node */
function isSkippedCall({ type, callee }) {
  if (type !== 'CallExpression') return false
  let part = callee // test.skip(…), test.concurrent.skip(…), test.skip.each(…)(…)
  while (isRecord(part)) {
    if (part['type'] === 'MemberExpression') {
      const property = part['property']
      if (isRecord(property) && (property['name'] === 'skip' || property['name'] === 'todo'))
        return true
      part = part['object']
    } else if (part['type'] === 'CallExpression') part = part['callee']
    else return false
  }
  return false
}

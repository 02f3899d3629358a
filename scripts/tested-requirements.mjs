/** Which requirement ids the titles of a test file name, and the headings of the transcripts that it runs. */

import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

import { parseSync } from 'oxc-parser'

import { isRecord, visitNodes } from './imports.mjs'
import { findBracketedIds } from './requirement-ids.mjs'
import { root } from './source-files.mjs'

/**
 * Ids in brackets inside the strings of a test file, so that titles from a table count too. Comments do
 * not count, nor anything inside `skip` and `todo`, nor what is skipped unless a file lies somewhere or a
 * variable is set: on a fresh clone such a test shows nothing.
 *
 * @param {string} path
 * @param {string} text
 * @returns {Set<string>}
 */
export function findTestedIds(path, text) {
  /** @type {Set<string>} */
  const ids = new Set(findBracketedIds(readTranscripts(path, text)))
  if (findBracketedIds(text).length === 0) return ids
  const { program } = parseSync(path, text)
  const constants = constantsOf(program)
  visitNodes(program, (node) => {
    if (isSkippedCall(node) || isSkippedByLuck(node, constants)) return false
    for (const id of findBracketedIds(stringOf(node) ?? '')) ids.add(id)
    return true
  })
  return ids
}

/**
 * The headings of the transcripts that a test file names, each of which is the title of a test.
 *
 * @param {string} path from the root of the repository
 * @param {string} text
 */
export function readTranscripts(path, text) {
  return [...text.matchAll(/'([\w./-]+\.transcript\.md)'/g)]
    .map(([, file = '']) => readFileSync(resolve(root, dirname(path), file), 'utf8'))
    .flatMap((transcript) => transcript.match(/^## .*$/gm) ?? [])
    .join('\n')
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

/**
 * `test.skipIf(!existsSync(file))(…)`, also where a constant of the file stands for the condition.
 *
 * @param {Record<string, unknown>} node
 * @param {ReadonlyMap<string, unknown>} constants
 */
function isSkippedByLuck({ type, callee }, constants) {
  if (type !== 'CallExpression') return false
  let part = callee // test.skipIf(…)(…), test.skipIf(…).each(…)(…)
  while (isRecord(part)) {
    const inner = part['type'] === 'CallExpression' ? part['callee'] : part['object']
    const property = isRecord(inner) && isRecord(inner['property']) ? inner['property']['name'] : ''
    if (part['type'] === 'CallExpression' && (property === 'skipIf' || property === 'runIf'))
      return dependsOnLuck(part['arguments'], constants)
    part = inner
  }
  return false
}

/**
 * Whether an expression asks for a file or for the environment, itself or by a constant.
 *
 * @param {unknown} expression
 * @param {ReadonlyMap<string, unknown>} constants
 * @param {ReadonlySet<string>} [seen]
 * @returns {boolean}
 */
function dependsOnLuck(expression, constants, seen = new Set()) {
  let isLuck = false
  visitNodes(expression, ({ type, name, property }) => {
    if (type === 'MemberExpression' && isRecord(property) && property['name'] === 'env')
      isLuck = true
    if (type !== 'Identifier' || typeof name !== 'string' || seen.has(name)) return true
    if (name === 'existsSync' || name === 'env') isLuck = true
    if (dependsOnLuck(constants.get(name), constants, new Set([...seen, name]))) isLuck = true
    return true
  })
  return isLuck
}

/** @param {unknown} program @returns {Map<string, unknown>} the initial value of each variable */
function constantsOf(program) {
  /** @type {Map<string, unknown>} */
  const constants = new Map()
  visitNodes(program, ({ type, id, init }) => {
    if (type === 'VariableDeclarator' && isRecord(id) && typeof id['name'] === 'string')
      constants.set(id['name'], init)
    return true
  })
  return constants
}

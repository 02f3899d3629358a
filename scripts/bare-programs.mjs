#!/usr/bin/env node
/**
 * Fails on a program that is started by its bare name, or through a shell, in packages and servers. Windows looks for such a
 * name in the current directory first, where a stranger's `git.exe` may be: `findProgram`, `resolveCommand` and
 * `systemProgram` of `@parley/mcp/system` give the full path.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit } from 'node:process'
import { pathToFileURL } from 'node:url'

import { parseSync, Visitor } from 'oxc-parser'

import { listFiles, root, shortPath } from './source-files.mjs'
import { readWorkspaces } from './workspaces.mjs'

/** @typedef {{ readonly line: number, readonly fault: string }} Fault */

const starters = new Set(['spawn', 'spawnSync', 'execFile', 'execFileSync'])
const shells = new Set(['exec', 'execSync'])

/**
 * Every start by a bare name or through a shell in one file.
 *
 * @param {string} path
 * @param {string} text
 * @returns {Fault[]}
 */
export function findBarePrograms(path, text) {
  if (!text.includes('child_process')) return []
  const { program } = parseSync(path, text)
  /** @type {Fault[]} */
  const faults = []
  /** Names in this file, by what `node:child_process` calls them. @type {Map<string, string>} */
  const imported = new Map()
  /** @param {number} start @param {string} fault */
  const report = (start, fault) =>
    faults.push({ line: text.slice(0, start).split('\n').length, fault })

  new Visitor({
    ImportDeclaration({ source, specifiers }) {
      if (!/^(?:node:)?child_process$/.test(source.value)) return
      for (const one of specifiers) {
        if (one.type !== 'ImportSpecifier') {
          report(one.start, 'import its functions by name, so that this check sees them')
        } else if (one.imported.type === 'Identifier') {
          imported.set(one.local.name, one.imported.name)
        }
      }
    },
    CallExpression({ callee, arguments: [first, ...rest], start }) {
      const name = callee.type === 'Identifier' ? (imported.get(callee.name) ?? '') : ''
      if (shells.has(name)) report(start, `${name} starts a shell`)
      if (!starters.has(name) || first === undefined) return
      const bare = namesIn(first).find((literal) => literal !== '' && !literal.startsWith('/'))
      if (bare !== undefined) report(start, `${name} starts '${bare}' by its name`)
      if (rest.some(usesShell)) report(start, `${name} starts a shell`)
    },
  }).visit(program)
  return faults
}

/**
 * The literal names an argument may be.
 *
 * @param {import('oxc-parser').Node} node
 * @returns {string[]}
 */
function namesIn(node) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type === 'TemplateLiteral') return [node.quasis[0]?.value.raw ?? '']
  if (node.type === 'LogicalExpression') return [...namesIn(node.left), ...namesIn(node.right)]
  if (node.type === 'ConditionalExpression') {
    return [...namesIn(node.consequent), ...namesIn(node.alternate)]
  }
  return []
}

/** @param {import('oxc-parser').Node} node */
function usesShell(node) {
  if (node.type !== 'ObjectExpression') return false
  return node.properties.some(
    (property) =>
      property.type === 'Property' &&
      property.key.type === 'Identifier' &&
      property.key.name === 'shell' &&
      !(property.value.type === 'Literal' && property.value.value === false),
  )
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  const files = readWorkspaces(root)
    .filter(({ folder }) => /^(?:packages|servers)\//.test(folder))
    .flatMap(({ folder }) => listFiles(join(root, folder, 'src')))
    .filter((file) => /\.[cm]?tsx?$/.test(file))
  const faults = files.flatMap((file) =>
    findBarePrograms(file, readFileSync(file, 'utf8')).map((found) => ({ file, ...found })),
  )
  for (const { file, line, fault } of faults) {
    console.error(`${shortPath(file)}:${line}: ${fault}`)
  }
  if (faults.length > 0) exit(1)
  console.log('every program is started by its full path')
}

#!/usr/bin/env node
/**
 * Fails on a program that is started in packages and servers by anything but its full path, or through a shell. Windows looks for
 * a bare name in the current directory first, where a stranger's `git.exe` may be: `findProgram`, `resolveCommand` and
 * `systemProgram` of `@parley/mcp/system` give the full path.
 *
 * Only the files listed here may use `node:child_process`. There the first argument has to be the path of this Node, an absolute
 * path that is written out, or the `file` of a lookup.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit } from 'node:process'
import { pathToFileURL } from 'node:url'

import { parseSync, Visitor } from 'oxc-parser'

import { listFiles, root, shortPath } from './source-files.mjs'
import { readWorkspaces } from './workspaces.mjs'

/** @typedef {{ readonly line: number, readonly fault: string }} Fault */

/** The files that start programs. */
const allowed = new Set([
  'packages/auth/src/node/open-browser.ts',
  'packages/cli/src/registry/probe.ts',
  'packages/cluster/src/testing/ends-together.ts',
  'packages/cluster/src/testing/redis-process.ts',
  'packages/cluster/src/testing/server-process.ts',
  'packages/compat/src/client/stdio.ts',
  'packages/compat/src/run.ts',
  'packages/foundation/src/native/native-packages.ts',
  'packages/mcp/src/transport/stdio/process-tree.ts',
  'packages/mcp/src/transport/stdio/start-child.ts',
  'packages/mcp/src/transport/stdio/windows-death-watch.ts',
  'packages/mcp/src/transport/system/windows-tree.ts',
  'packages/server-kit/src/git/run-git.ts',
])

const starters = new Set(['spawn', 'spawnSync', 'execFile', 'execFileSync'])
const moduleName = /^(?:node:)?child_process$/

/**
 * Every fault of one file.
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
  /** Functions of `node:child_process`, as this file calls them. @type {Set<string>} */
  const imported = new Set()
  /** Where those are imported and called. @type {Set<number>} */
  const understood = new Set()
  /** @param {number} start @param {string} fault */
  const report = (start, fault) =>
    faults.push({ line: text.slice(0, start).split('\n').length, fault })

  new Visitor({
    ImportDeclaration({ source, specifiers, importKind, start }) {
      if (!moduleName.test(source.value)) return
      const values = specifiers.filter(
        (one) => importKind !== 'type' && !('importKind' in one && one.importKind === 'type'),
      )
      if (values.length > 0 && !allowed.has(path)) {
        report(start, 'only the files that scripts/bare-programs.mjs lists start programs')
      }
      for (const one of values) {
        const name = one.type === 'ImportSpecifier' && 'name' in one.imported && one.imported.name
        if (name === false || !starters.has(name)) {
          report(one.start, `import by name one of ${[...starters].join(', ')}`)
          continue
        }
        understood.add(one.imported.start).add(one.local.start)
        imported.add(one.local.name)
      }
    },
  }).visit(program)

  new Visitor({
    CallExpression({ callee, arguments: args, start }) {
      if (args.some(isModule)) report(start, 'import the functions of node:child_process by name')
      if (callee.type !== 'Identifier' || !imported.has(callee.name)) return
      understood.add(callee.start)
      if (args[0] !== undefined && isFullPath(args[0])) return
      report(start, 'starts what is not execPath, an absolute path or the file of a lookup')
    },
    ImportExpression({ source, start }) {
      if (isModule(source)) report(start, 'import the functions of node:child_process by name')
    },
    ExportNamedDeclaration({ source, start }) {
      if (source && isModule(source)) report(start, 'do not export node:child_process')
    },
    ExportAllDeclaration({ source, start }) {
      if (isModule(source)) report(start, 'do not export node:child_process')
    },
    Identifier({ name, start }) {
      if (imported.has(name) && !understood.has(start)) report(start, `${name} is handed on`)
    },
    Property({ key, value, start }) {
      const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? key.value : ''
      const isOff = value.type === 'Literal' && value.value === false
      if (name === 'shell' && !isOff) report(start, 'starts a shell')
    },
  }).visit(program)
  return faults
}

/**
 * Whether a first argument is the full path of a program by its form alone.
 *
 * @param {import('oxc-parser').Node} node
 */
function isFullPath(node) {
  if (node.type === 'Identifier') return node.name === 'execPath'
  if (node.type === 'Literal') return typeof node.value === 'string' && node.value.startsWith('/')
  if (node.type === 'CallExpression') {
    return node.callee.type === 'Identifier' && node.callee.name === 'systemProgram'
  }
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return false
  return !node.computed && ['file', 'execPath'].includes(node.property.name)
}

/** @param {import('oxc-parser').Node} node */
function isModule(node) {
  if (node.type === 'TemplateLiteral') return moduleName.test(node.quasis[0]?.value.raw ?? '')
  return node.type === 'Literal' && typeof node.value === 'string' && moduleName.test(node.value)
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  const files = readWorkspaces(root)
    .filter(({ folder }) => /^(?:packages|servers)\//.test(folder))
    .flatMap(({ folder }) => listFiles(join(root, folder, 'src')))
    .filter((file) => /\.[cm]?tsx?$/.test(file))
  const faults = files.flatMap((file) =>
    findBarePrograms(shortPath(file), readFileSync(file, 'utf8')).map((found) => ({
      file,
      ...found,
    })),
  )
  for (const { file, line, fault } of faults) {
    console.error(`${shortPath(file)}:${line}: ${fault}`)
  }
  if (faults.length > 0) exit(1)
  console.log('every program is started by its full path')
}

#!/usr/bin/env node
/** `npm run tests-of -- FILE …`: which tests reach a source file, the nearest first. */

import { resolve } from 'node:path'
import { argv, exit } from 'node:process'
import { pathToFileURL } from 'node:url'

import { readImportGraph } from './import-graph.mjs'
import { shortPath } from './source-files.mjs'

const usage = `npm run tests-of -- FILE [FILE …]

Prints the test files that load one of these source files, with the number of imports between them.
  --run     only the paths, on one line: npx vitest run $(npm run --silent tests-of -- --run FILE)
  --near N  only those within N imports
`

/**
 * Test files by the number of imports between them and the nearest of `targets`.
 *
 * @param {import('./import-graph.mjs').Graph} graph
 * @param {readonly string[]} targets
 * @returns {Map<string, number>} in order of distance
 */
export function findTests(graph, targets) {
  /** @type {Map<string, string[]>} */
  const importers = new Map()
  for (const [from, edges] of graph) {
    for (const { to, kind } of edges) {
      if (kind !== 'type') importers.set(to, [...(importers.get(to) ?? []), from])
    }
  }
  /** @type {Map<string, number>} */
  const distances = new Map(targets.map((target) => [target, 0]))
  // In order of distance: what is added while going through it comes last.
  for (const [file, distance] of distances) {
    for (const importer of importers.get(file) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1)
    }
  }
  return new Map([...distances].filter(([file]) => file.endsWith('.test.ts')))
}

function main() {
  const args = argv.slice(2)
  const near = args.includes('--near')
    ? Number(args.splice(args.indexOf('--near'), 2)[1])
    : Infinity
  const isRun = args.includes('--run')
  const files = args.filter((arg) => !arg.startsWith('--')).map((path) => shortPath(resolve(path)))
  if (files.length === 0 || args.includes('--help') || Number.isNaN(near)) {
    console.log(usage)
    exit(args.includes('--help') ? 0 : 2)
  }
  const graph = readImportGraph()
  const unknown = files.find((file) => !graph.has(file))
  if (unknown !== undefined) {
    console.error(
      `${unknown} is not a source file of a package: give its path from the repository's root`,
    )
    exit(2)
  }
  const tests = [...findTests(graph, files)].filter(([, distance]) => distance <= near)
  if (isRun) console.log(tests.map(([file]) => file).join(' '))
  else for (const [file, distance] of tests) console.log(`${String(distance).padStart(3)}  ${file}`)
  if (tests.length === 0) {
    console.error('no test loads it; programs that tests start are not followed')
    exit(1)
  }
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) main()

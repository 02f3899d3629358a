import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { expect, test } from 'vitest'

import { root } from '../source-files.mjs'

const cases = ['packages/mcp', 'packages/auth'].flatMap((folder) =>
  ['node', 'default'].map((condition) => [folder, condition] as const),
)

test.each(cases)(
  'no published file of %s imports itself through others under the condition %s',
  (folder, condition) => {
    const graph = readGraph(join(root, folder), condition)

    expect(graph.size).toBeGreaterThan(10)
    expect([...graph.keys()].flatMap((file) => findRing(graph, file) ?? [])).toEqual([])
  },
)

/** What each built file imports at once. Bundlers warn about rings, and one can leave a name undefined at the start. */
function readGraph(directory: string, condition: string): ReadonlyMap<string, readonly string[]> {
  const dist = join(directory, 'dist')
  const { imports } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  return new Map(
    files
      .filter((file) => file.endsWith('.js'))
      .map((file) => {
        const path = join(dist, file)
        const names = readFileSync(path, 'utf8').matchAll(
          /^(?:import|export) (?:.*? from )?"([^"]+)"/gm,
        )
        const targets = [...names].flatMap(([, name = '']) => {
          if (name.startsWith('.')) return [join(dirname(path), name)]
          const chosen = imports[name]?.[condition] ?? imports[name]?.default
          return chosen === undefined ? [] : [join(directory, chosen)]
        })
        return [path, targets]
      }),
  )
}

function findRing(graph: ReadonlyMap<string, readonly string[]>, from: string): string | undefined {
  const reached = new Set(graph.get(from))
  for (const file of reached) {
    if (file === from) return from
    for (const next of graph.get(file) ?? []) reached.add(next)
  }
  return undefined
}

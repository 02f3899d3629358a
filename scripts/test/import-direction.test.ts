import { describe, expect, test } from 'vitest'

import { checkFile, checkRepository, checkRings } from '../import-direction.mjs'
import type { Graph } from '../import-graph.mjs'

const workspaces = [
  { name: '@parley/mcp', folder: 'packages/mcp', subpaths: ['.', './server'] },
  { name: '@parley/auth', folder: 'packages/auth', subpaths: ['.'] },
  { name: '@parley/server-time', folder: 'servers/time', subpaths: [] },
]

/** The faults of one line of code in a file of the SDK. */
function faultsIn(path: string, text: string): string[] {
  return checkFile(path, text, workspaces).map(({ fault }) => fault)
}

describe('layers', () => {
  test.each([
    ['rpc/codec.ts', "import { a } from '../schema/tools.ts'"],
    ['server/tools.ts', "import { a } from '../wire/codec.ts'"],
    ['client/tools.ts', "export { a } from './connect.ts'"],
    ['testing/faults.ts', "import { a } from '../transport/memory.ts'"],
    ['entry/testing.ts', "export { a } from '../testing/faults.ts'"],
    ['index.ts', "export { a } from './rpc/rpc-error.ts'"],
  ])('%s may contain %s', (file, text) => {
    expect(faultsIn(`packages/mcp/src/${file}`, text)).toEqual([])
  })

  test.each([
    ['rpc/codec.ts', "import { a } from '../wire/codec.ts'"],
    ['rpc/codec.ts', "import type { A } from '../wire/codec.ts'"],
    ['rpc/codec.ts', "export * from '../wire/codec.ts'"],
    ['rpc/codec.ts', "export type { A } from '../wire/codec.ts'"],
    ['rpc/codec.ts', "const a = await import('../wire/codec.ts')"],
    ['rpc/codec.ts', "type A = import('../wire/codec.ts').A"],
    ['server/tools.ts', "import { a } from '../client/tools.ts'"],
    ['client/tools.ts', "import { a } from '../server/tools.ts'"],
    ['transport/stdio.ts', "import { a } from '../testing/faults.ts'"],
    ['testing/faults.ts', "import { a } from '../entry/testing.ts'"],
    ['wire/codec.ts', "import { a } from '../index.ts'"],
    ['rpc/codec.ts', "import { a } from '../helpers/a.ts'"],
    ['helpers/a.ts', "import { a } from '../rpc/codec.ts'"],
  ])('%s may not contain %s', (file, text) => {
    expect(faultsIn(`packages/mcp/src/${file}`, text)).toHaveLength(1)
  })

  test('names the file, the line, the fault and the cure', () => {
    const text = "import { a } from '../schema/a.ts'\n\nimport { b } from '../server/b.ts'\n"

    const violations = checkFile('packages/mcp/src/wire/codec.ts', text, workspaces)

    expect(violations).toEqual([
      {
        file: 'packages/mcp/src/wire/codec.ts',
        line: 3,
        fault: expect.stringContaining("wire/ imports '../server/b.ts' from server/"),
        cure: expect.stringContaining('move'),
      },
    ])
  })

  test('ignores what only looks like an import', () => {
    const text = [
      "// import { a } from '../server/a.ts'",
      '/* export * from "../server/a.ts" */',
      `const example = "import { a } from '../server/a.ts'"`,
      "const template = `await import('../server/a.ts')`",
    ].join('\n')

    expect(faultsIn('packages/mcp/src/rpc/codec.ts', text)).toEqual([])
  })
})

describe('Node', () => {
  test.each(['transport/stdio.ts', 'entry/node.ts'])('%s may import Node modules', (file) => {
    expect(faultsIn(`packages/mcp/src/${file}`, "import { once } from 'node:events'")).toEqual([])
  })

  test.each(['rpc/codec.ts', 'server/tools.ts', 'testing/clock.ts', 'index.ts'])(
    '%s may not import Node modules',
    (file) => {
      const faults = faultsIn(`packages/mcp/src/${file}`, "import { once } from 'node:events'")
      expect(faults).toEqual([expect.stringContaining('must run anywhere')])
    },
  )

  test('asks for the node: prefix', () => {
    const [violation] = checkFile('packages/mcp/src/transport/a.ts', "import 'fs'", workspaces)

    expect(violation?.cure).toBe("write 'node:fs'")
  })

  test('lets a portable layer load a Node part on first use, not at start', () => {
    const path = 'packages/mcp/src/client/connect.ts'

    expect(faultsIn(path, "const { a } = await import('#child-process')")).toEqual([])
    expect(faultsIn(path, "import type { A } from '#child-process'")).toEqual([])
    expect(faultsIn(path, "import { type A } from '#child-process'")).toEqual([])
    expect(faultsIn(path, "import { type A, b } from '#child-process'")).toHaveLength(1)
  })
})

describe('packages', () => {
  test.each([
    ['servers/time/src/main.ts', "import { a } from '@parley/mcp/server'"],
    ['servers/time/src/main.ts', "import { a } from '@parley/mcp'"],
    ['servers/time/test/main.test.ts', "import { a } from '../src/main.ts'"],
    ['packages/mcp/test/a.test.ts', "import { a } from '@parley/mcp'"],
    ['packages/mcp/test/a.test.ts', "import { a } from '../../../scripts/workspaces.mjs'"],
    ['packages/auth/src/a.ts', "import { a } from '@parley/mcp-other/deep'"],
  ])('%s may contain %s', (path, text) => {
    expect(faultsIn(path, text)).toEqual([])
  })

  test.each([
    ['servers/time/src/main.ts', "import { a } from '../../../packages/mcp/src/index.ts'"],
    ['servers/time/src/main.ts', "import { a } from '@parley/mcp/dist/rpc/codec.js'"],
    ['servers/time/test/a.test.ts', "import { a } from '../../../packages/mcp/test/a.ts'"],
    ['packages/auth/src/a.ts', "import { a } from '@parley/server-time'"],
    ['packages/mcp/src/server/tools/tools.ts', "import { a } from '@parley/mcp/server'"],
  ])('%s may not contain %s', (path, text) => {
    expect(faultsIn(path, text)).toHaveLength(1)
  })
})

describe('rings', () => {
  function graphOf(
    imports: Record<string, readonly string[]>,
    kind: 'static' | 'dynamic' | 'type' = 'static',
  ): Graph {
    return new Map(
      Object.entries(imports).map(([file, targets]) => [file, targets.map((to) => ({ to, kind }))]),
    )
  }

  test('reports two files that import each other, with the way round and how to break it', () => {
    const [ring, ...others] = checkRings(graphOf({ 'a.ts': ['b.ts'], 'b.ts': ['a.ts'] }))

    expect(others).toEqual([])
    expect(ring?.fault.match(/\w\.ts/g)).toEqual(['a.ts', 'b.ts', 'a.ts'])
    expect(ring?.cure).toContain('move what two of them need')
  })

  test('reports the shortest ring of files that are tangled, once', () => {
    const rings = checkRings(
      graphOf({
        'main.ts': ['a.ts'],
        'a.ts': ['b.ts'],
        'b.ts': ['c.ts', 'leaf.ts'],
        'c.ts': ['d.ts', 'a.ts'],
        'd.ts': ['c.ts'],
        'leaf.ts': [],
      }),
    )

    expect(rings.map(({ fault }) => fault.match(/\w+\.ts/g))).toEqual([['c.ts', 'd.ts', 'c.ts']])
  })

  test('reports each of two rings, and a file that imports itself', () => {
    const rings = checkRings(
      graphOf({
        'a.ts': ['b.ts', 'c.ts'],
        'b.ts': ['a.ts'],
        'c.ts': ['d.ts'],
        'd.ts': ['c.ts'],
        'e.ts': ['e.ts'],
      }),
    )

    expect(rings.map(({ file }) => file).toSorted()).toEqual(['a.ts', 'c.ts', 'e.ts'])
  })

  test.each(['type', 'dynamic'] as const)('allows a ring of %s imports', (kind) => {
    expect(checkRings(graphOf({ 'a.ts': ['b.ts'], 'b.ts': ['a.ts'] }, kind))).toEqual([])
  })

  test('allows files that are reached in two ways', () => {
    const graph = graphOf({ 'a.ts': ['b.ts', 'c.ts'], 'b.ts': ['d.ts'], 'c.ts': ['d.ts'] })

    expect(checkRings(graph)).toEqual([])
  })
})

test('the repository follows its own rules', () => {
  expect(checkRepository()).toEqual([])
})

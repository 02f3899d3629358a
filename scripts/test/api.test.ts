import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, expect, test } from 'vitest'

import { changedLines } from '../api/changed-lines.mjs'
import { describePackage } from '../api/report.mjs'

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

/** The report of a package with these declarations and one entry. */
function report(files: Record<string, string>): string {
  const directory = mkdtempSync(join(tmpdir(), 'api-'))
  directories.push(directory)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
  const manifest = { exports: { './one': { types: './index.d.ts' } } }
  return describePackage({ name: '@parley/one', folder: 'one', directory, manifest })
}

test('lists the names of an entry and everything they lead to, without comments', () => {
  const text = report({
    'index.d.ts': "export { make } from './make.ts';\nexport type { Made } from './made.ts';",
    'make.d.ts':
      "import type { Made as Result } from './made.ts';\n/** Makes. */\nexport declare function make(): Result;\nexport declare const inside: 1;",
    'made.d.ts':
      'interface Part {\n    /** Said. */\n    readonly a: import("./deep/b.ts").B;\n}\nexport interface Made extends Part {\n}\ninterface Unused {\n}',
    'deep/b.d.ts': "export type B = '/* not a comment */';",
  })

  expect(text).toContain('### @parley/one/one\n\n```text\nMade\nmake\n```')
  expect(text.slice(text.indexOf('```ts\n'))).toBe(
    `\`\`\`ts
type B = '/* not a comment */';

interface Made extends Part {
}

interface Part {
  readonly a: B;
}

function make(): Made;
\`\`\`
`,
  )
})

test('leaves out what only our own parts use of each other', () => {
  const text = report({
    'index.d.ts': "export type { Server } from './server.ts';",
    'server.d.ts':
      "import type { Inside } from './inside.ts';\nexport interface Server {\n    /** Said. */\n    readonly '~definition': Inside;\n    '~serve'(inside: Inside): void;\n    readonly '~types'?: 1;\n}",
    'inside.d.ts': 'export interface Inside {\n    a: 1;\n}',
  })

  expect(text).toContain("interface Server {\n  readonly '~types'?: 1;\n}")
  expect(text).not.toContain('Inside')
})

test('does not change when code moves to another file', () => {
  const declared = 'export interface A {\n    b: string;\n}'

  const before = report({ 'index.d.ts': "export type { A } from './a.ts';", 'a.d.ts': declared })
  const after = report({
    'index.d.ts': "export type { A } from './moved.ts';",
    'moved.d.ts': "export * from './deep/a.ts';",
    'deep/a.d.ts': declared.replace('    b', '\tb'),
  })

  expect(after).toBe(before)
})

test('shows which lines changed', () => {
  expect(changedLines('a\nb\nb\nc', 'a\nb\nd')).toEqual(['- b', '- c', '+ d'])
  expect(changedLines('a\nb', 'b\na')).toEqual(['the same lines in another order'])
})

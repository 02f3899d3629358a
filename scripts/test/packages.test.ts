import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, describe, expect, test } from 'vitest'

import { addRelease, parseChange } from '../packages/changelog.mjs'
import { dependenciesFirst } from '../packages/dependency-order.mjs'
import { findProblems, mendPackages } from '../packages/problems.mjs'
import { isProgram, publishedManifest, readPublished } from '../packages/published.mjs'
import { replaceSourceVersions } from '../packages/source-versions.mjs'
import { packAll } from '../packages/stage.mjs'

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

function writeFiles(directory: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
}

type Manifest = Record<string, unknown>

const repository = { type: 'git', url: 'git+https://example.com/one/two.git' }

/** A repository with one package in which nothing is wrong, unless `change` changes it. */
function createRepository(change: (manifest: Manifest) => Manifest = (same) => same): string {
  const directory = mkdtempSync(join(tmpdir(), 'packages-'))
  directories.push(directory)
  const manifest = {
    name: '@parley/one',
    version: '1.2.3',
    description: 'One thing',
    keywords: ['mcp', 'model-context-protocol', 'one', 'thing'],
    type: 'module',
    exports: {
      '.': {
        '@parley/source': './src/index.ts',
        types: './dist/index.d.ts',
        default: './dist/index.js',
      },
    },
    devDependencies: { '@parley/one': '1.2.3' },
  }
  writeFiles(directory, {
    'package.json': JSON.stringify({
      workspaces: ['packages/*'],
      license: 'MIT',
      engines: { node: '>=20.19' },
      repository,
    }),
    LICENSE: 'You may.',
    'packages/one/package.json': JSON.stringify(manifest),
    'packages/one/README.md': '# One\n\nSee [two](https://example.com/one/two/blob/main/two.md).\n',
    'packages/one/dist/index.js': 'export const one = 1',
    'packages/one/dist/index.d.ts': 'export declare const one = 1',
    'packages/one/dist/.tsbuildinfo': '{}',
    'packages/one/src/index.ts': 'export const one = 1',
  })
  mendPackages(directory)
  const path = join(directory, 'packages/one/package.json')
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')))))
  return directory
}

test('nothing is wrong with the packages of this repository', () => {
  expect(findProblems()).toEqual([])
})

describe('what is wrong with a package is found', () => {
  test('but nothing where nothing is', () => {
    expect(findProblems(createRepository())).toEqual([])
  })

  test.each<[string, (manifest: Manifest) => Manifest, string]>([
    ['no repository', ({ repository: _, ...rest }) => rest, 'repository must be {"type":"git"'],
    [
      'the folder of another package',
      (manifest) => ({ ...manifest, repository: { ...repository, directory: 'packages/two' } }),
      '"directory":"packages/one"',
    ],
    ['no homepage', ({ homepage: _, ...rest }) => rest, 'homepage must be "https://example.com/'],
    ['no issues', ({ bugs: _, ...rest }) => rest, 'bugs must be "https://example.com/one/two/iss'],
    [
      'a compiler’s notes',
      (manifest) => ({ ...manifest, files: ['dist'] }),
      'files must be ["dist"',
    ],
    [
      'no access',
      ({ publishConfig: _, ...rest }) => rest,
      'publishConfig must be {"access":"publi',
    ],
    ['a way past the release', ({ scripts: _, ...rest }) => rest, 'scripts must be {"prepublishOn'],
    ['few keywords', (manifest) => ({ ...manifest, keywords: ['mcp'] }), 'keywords must have mcp'],
    ['no description', ({ description: _, ...rest }) => rest, 'description is missing'],
    [
      'a file that is not there',
      (manifest) => ({ ...manifest, exports: { '.': './dist/absent.js' } }),
      './dist/absent.js is not there',
    ],
    [
      'a file that is not published',
      (manifest) => ({ ...manifest, imports: { '#a': { default: './src/index.ts' } } }),
      './src/index.ts is not published',
    ],
    [
      'another version of a package of ours',
      (manifest) => ({ ...manifest, dependencies: { '@parley/one': '^1.0.0' } }),
      '@parley/one is ^1.0.0, but all packages have version 1.2.3',
    ],
  ])('%s', (_, change, expected) => {
    expect(findProblems(createRepository(change)).join('\n')).toContain(expected)
  })

  test('a README whose links lead nowhere on npm', () => {
    const directory = createRepository()
    writeFiles(directory, { 'packages/one/README.md': '[two](../../two.md)' })

    expect(findProblems(directory)).toEqual([
      'packages/one/README.md: ../../two.md is relative: write https://example.com/one/two/blob/main/ and the path from the root',
    ])
  })

  test('another licence, and it is mended', () => {
    const directory = createRepository()
    writeFiles(directory, { 'packages/one/LICENSE': 'You may not.' })

    expect(findProblems(directory)).toEqual([
      "packages/one/LICENSE: must be a copy of the root's LICENSE",
    ])
    mendPackages(directory)
    expect(findProblems(directory)).toEqual([])
  })
})

test('a tarball has what was built, the README and the licence, and no trace of sources', async () => {
  const directory = createRepository()

  const [tarball] = await packAll(join(directory, 'tarballs'), directory)

  expect(tarball?.files.toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'dist/index.d.ts',
    'dist/index.js',
    'package.json',
  ])
  const [one] = readPublished(directory)
  const manifest = publishedManifest(one?.manifest ?? {})
  expect(JSON.stringify(manifest)).not.toMatch(/src|devDependencies|scripts/)
  expect(manifest['exports']).toEqual({
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
  })
})

test('a package with a program keeps its entries, also if none of them is the package itself', () => {
  const found = readPublished().find(({ name }) => name === '@parley/compat')
  const { exports } = publishedManifest(found?.manifest ?? {})

  expect(exports['./types.js']).toMatchObject({ default: './dist/types.js' })
  expect(isProgram(found?.manifest ?? {})).toBe(false)
})

test('a package is published after those it depends on', () => {
  const one = (name: string, ...needs: string[]) => ({
    name,
    folder: name,
    directory: name,
    manifest: { dependencies: Object.fromEntries(needs.map((need) => [need, '1.0.0'])) },
  })

  const ordered = dependenciesFirst([one('c', 'b', 'zod'), one('b', 'a'), one('a'), one('d')])

  expect(ordered.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
  expect(() => dependenciesFirst([one('a', 'b'), one('b', 'a')])).toThrow('a → b → a')
})

describe('a release', () => {
  test('moves the texts of changes into the changelog, by what they mean for a user', () => {
    const changes = [
      "---\n'@parley/mcp': minor\n---\n\nA new thing.\n",
      "---\n'@parley/mcp': patch\n'@parley/cli': major\n---\n\nA thing is gone:\nuse the other.\n",
      "---\n'@parley/auth': patch\n---\n\nA thing works again.\n",
    ].map(parseChange)

    const changelog = addRelease('# Changelog\n\nAll.\n\n## [1.0.0] - 2026-01-01\n', {
      version: '2.0.0',
      date: '2026-02-03',
      changes,
    })

    expect(changelog).toBe(`# Changelog

All.

## [2.0.0] - 2026-02-03

### Changed

- A thing is gone:
  use the other.

### Added

- A new thing.

### Fixed

- A thing works again.

## [1.0.0] - 2026-01-01
`)
  })

  test('refuses a change without a text', () => {
    expect(() => parseChange("---\n'@parley/mcp': minor\n---\n\n")).toThrow('have a text')
  })

  test('lets sources say the new version, where they said the old one', () => {
    const directory = createRepository()
    writeFiles(directory, {
      'src/a.ts': "const server = { name: 'a', version: '1.2.3' }",
      'src/b.ts': "export const version = '9.9.9'",
    })

    replaceSourceVersions(directory, { before: '1.2.3', after: '2.0.0' })

    expect(readFileSync(join(directory, 'src/a.ts'), 'utf8')).toContain("version: '2.0.0'")
    expect(readFileSync(join(directory, 'src/b.ts'), 'utf8')).toContain("'9.9.9'")
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { root } from '../source-files.mjs'

interface Package {
  readonly folder: string
  readonly name: string
  readonly isPrivate: boolean
}

const packages = listPackages('packages')
const published = packages.filter(({ isPrivate }) => !isPrivate)

test('there are packages, and one of them is not published', () => {
  expect(packages.length).toBeGreaterThan(10)
  expect(packages.filter((one) => !published.includes(one)).map(({ name }) => name)).toEqual([
    '@parley/page',
  ])
})

test('the README leads to every package that is published', () => {
  const readme = read('README.md')
  const isNamed = ({ name }: { readonly name: string }): boolean => {
    const short = name.replace('@parley/', '')
    return readme.includes(name) || new RegExp(`docs/${short}(?:/index)?\\.md`).test(readme)
  }

  // The programs are made of these two; users do not install them by themselves.
  const parts = new Set(['@parley/foundation', '@parley/server-kit'])
  const unnamed = published.filter((one) => !parts.has(one.name) && !isNamed(one))
  expect(unnamed.map(({ name }) => name)).toEqual([])
})

test('CONTRIBUTING has a row for every package', () => {
  expect(missing('CONTRIBUTING.md', packages, ({ folder }) => `| \`${folder}\` |`)).toEqual([])
})

test('the page about the architecture has a line for every package', () => {
  const lines = read('docs/internals/architecture.md').replaceAll(/ +/g, ' ')
  const line = ({ folder, name }: Package) => ` ${folder.replace('packages/', '')}/ ${name} `

  expect(packages.filter((one) => !lines.includes(line(one)))).toEqual([])
})

test('the API reference has the entries of every package that is published', () => {
  // The reference of one is that of the official SDK; the other is a program.
  const others = ['@parley/compat', '@parley/cli']
  const documented = published.filter(({ name }) => !others.includes(name))
  const pages = missing(
    'site/reference/entries.mjs',
    documented,
    ({ folder }) => `'${folder.replace('packages/', '')}',`,
  )

  expect(pages).toEqual([])
})

test('the page about the reference servers has a row for every one', () => {
  const servers = listPackages('servers')

  expect(servers.length).toBeGreaterThan(5)
  expect(missing('docs/servers.md', servers, ({ name }) => `\`npx -y ${name}`)).toEqual([])
})

test('the page about examples has every example', () => {
  const programs = readdirSync(join(root, 'examples')).filter((name) => /\.tsx?$/.test(name))
  const page = read('examples/README.md')

  expect(programs.filter((name) => !page.includes(`(${name})`))).toEqual([])
})

/** Packages whose text a page lacks. */
function missing(
  page: string,
  of: readonly Package[],
  textOf: (one: Package) => string,
): readonly string[] {
  const text = read(page)
  return of.filter((one) => !text.includes(textOf(one))).map(({ name }) => name)
}

function listPackages(folder: string): readonly Package[] {
  return readdirSync(join(root, folder)).map((name) => {
    const own: { name: string; private?: boolean } = JSON.parse(
      read(`${folder}/${name}/package.json`),
    )
    return { folder: `${folder}/${name}`, name: own.name, isPrivate: own.private === true }
  })
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { join as joinUrl } from 'node:path/posix'

import { expect, onTestFinished, test } from 'vitest'

import { anchorOf } from '../../site/anchors.mjs'
import { root, sitePages, readContent, redirectPage } from '../../site/content.mjs'
import { landingPage } from '../../site/landing.mjs'
import { repository, siteLinks } from '../../site/links.mjs'
import { llmsText } from '../../site/llms.mjs'
import { movedPages } from '../../site/moved.mjs'
import { readEntry } from '../../site/reference/declarations.mjs'
import { readEntries } from '../../site/reference/entries.mjs'
import { isPublic, referencePage } from '../../site/reference/reference-page.mjs'
import { groups } from '../../site/sidebar.mjs'

/** Links outside of code. */
function linksOf(markdown: string): readonly string[] {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
}

test('every link of the site leads to a page of it, or to a file of the repository', () => {
  const content = readContent()
  content.set('index.md', readFileSync(join(root, 'site/landing.md'), 'utf8'))
  const places = new Set([...content.keys(), ...sitePages().values()])
  const broken: string[] = []
  for (const [place, markdown] of content) {
    for (const link of linksOf(markdown)) {
      const [path = ''] = link.split('#')
      if (path === '' || (/^[a-z]+:/.test(path) && !path.startsWith(repository))) continue
      const isThere = path.startsWith(repository)
        ? existsSync(join(root, path.replace(/^.*?\/(?:blob|tree)\/main\//, '')))
        : places.has(joinUrl(dirname(place), path))
      if (!isThere) broken.push(`${place}: ${link}`)
    }
  }
  expect(broken).toEqual([])
})

test('the landing page has figures of the benchmark, programs in tabs, and links to pages that exist', () => {
  const page = landingPage(root)
  const places = new Set(readContent().keys())
  const links = [...page.matchAll(/link: (\/[\w/-]*)/g)].map(([, link = '']) => link.slice(1))

  expect(links.length).toBeGreaterThan(8)
  expect(links.filter((link) => !places.has(`${link}.md`))).toEqual([])
  const measured = JSON.parse(/^measured: (.*)$/m.exec(page)?.[1] ?? '[]') as unknown[]
  const figure = expect.any(Number) as unknown
  expect(measured).toHaveLength(4)
  for (const one of measured) {
    expect(one).toEqual({ title: expect.any(String), theirs: figure, ours: figure, times: figure })
  }
  expect([...page.matchAll(/^```ts \[(.*)\]$/gm)].map(([, name]) => name)).toEqual([
    'weather.js',
    'client.js',
    'test.js',
  ])
})

/** The values of the tokens of a rule that begins a line, such as `:root {`. */
function tokensOf(css: string, rule: string): ReadonlyMap<string, string> {
  const bodies = css.split(`\n${rule} {\n`).slice(1)
  const lines = bodies.flatMap((body) => body.slice(0, body.indexOf('\n}')).split('\n'))
  return new Map(
    lines.flatMap((line) => {
      const [, name, value] = /^ {2}(--[\w-]+): (.*);$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    }),
  )
}

test.each([
  [':root', ':root'],
  ['.dark', ":root[data-mantine-color-scheme='dark']"],
])('the site has the colours of the programs: %s', (own, theirs) => {
  const site = readFileSync(join(root, 'site/.vitepress/theme/style.css'), 'utf8')
  const pages = readFileSync(join(root, 'packages/page/src/theme/styles.css'), 'utf8')
  const wanted = tokensOf(`\n${pages}`, theirs)

  const tokens = [...tokensOf(site, own)].filter(([name]) => !name.startsWith('--vp-'))

  expect(tokens.length).toBeGreaterThan(10)
  expect(tokens.filter(([name, value]) => wanted.get(name) !== value)).toEqual([])
})

test('the navigation has every page of docs/', () => {
  const listed = new Set(groups.flatMap(([, pages]) => pages.map(([, file]) => file)))

  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  expect(pages.filter((name) => !listed.has(name))).toEqual(['index.md'])
})

test('old addresses lead to pages and headings that exist', () => {
  const broken = Object.entries(movedPages).filter(([, to]) => {
    const [file = '', anchor] = to.split('#')
    const path = join(root, 'docs', file)
    if (!existsSync(path)) return true
    const headings = [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      anchorOf(title.replaceAll('`', '')),
    )
    return anchor !== undefined && !headings.includes(anchor)
  })
  expect(broken).toEqual([])
  expect(redirectPage('errors.md#troubleshooting')).toContain('url=/errors#troubleshooting')
})

test('the glossary names files that exist', () => {
  const glossary = readFileSync(join(root, 'docs/internals/glossary.md'), 'utf8')
  const named = [...glossary.matchAll(/`([\w./-]+\/[\w./-]*)`/g)].map(([, path = '']) => path)

  const missing = named.filter(
    (path) =>
      !existsSync(join(root, path.startsWith('packages/') ? path : `packages/mcp/src/${path}`)),
  )
  expect(
    missing.filter((path) => !/^(?:tools|resources|subscriptions)\/[a-z]+$/.test(path)),
  ).toEqual([])
})

test('every exported function, value and type has a sentence', () => {
  const bare = readEntries(root).flatMap(({ name, file }) =>
    readEntry(file).flatMap((one) => (one.comment === '' ? [`${name}: ${one.name}`] : [])),
  )
  expect(bare).toEqual([])
})

test('every member of an exported interface or class has a sentence', () => {
  const bare = readEntries(root).flatMap(({ name, file }) =>
    readEntry(file).flatMap((one) =>
      one.members
        .filter((member) => isPublic(member) && member.comment === '')
        .map((member) => `${name}: ${one.name}.${member.name}`),
    ),
  )
  expect(bare).toEqual([])
})

test('every member of an object in an exported type has a sentence, a tag that or the object', () => {
  const bare = readEntries(root).flatMap(({ name, file }) =>
    readEntry(file).flatMap((one) =>
      one.shapes.flatMap(({ comment, members }) =>
        members
          .filter((member) => isPublic(member) && member.comment === '')
          .filter(({ isTag }) => !isTag || comment === '')
          .map((member) => `${name}: ${one.name}.${member.text}`),
      ),
    ),
  )
  expect(bare).toEqual([])
})

test('a page of the reference shows what an entry exports, wherever it is declared', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-reference-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(
    join(folder, 'inside.d.ts'),
    `/** Says hello. */
export declare function greet(name: string): string;
export declare function greet(name: string, loud: boolean): string;
/** How to greet. @defaultValue nothing */
export interface Options {
    /** As {@link greet} | does. */
    readonly loud?: boolean | undefined;
    // not this
    say(text: string): void;
}
/** How it went. */
export type Outcome =
    /** Nobody was there. */
    | { readonly kind: 'nobody'; }
    | {
        /** They heard it. */
        readonly kind: 'heard';
        readonly names: readonly string[];
    };
export interface Hidden {}`,
  )
  const file = join(folder, 'entry.d.ts')
  writeFileSync(
    file,
    `import { type Options as Given } from './inside.ts';
export { greet as hello } from './inside.ts';
export type { Given as GreetOptions };
export type { Outcome } from './inside.ts';`,
  )

  const page = referencePage({ name: '@parley/greet', file })

  expect(page).toContain('### hello\n\nSays hello.')
  expect(page.match(/function greet/g)).toHaveLength(2)
  expect(page).toContain('### GreetOptions\n\nHow to greet. Default: nothing.')
  expect(page).toContain('| `loud?` | `boolean \\| undefined` | As `greet` \\| does. |')
  expect(page).toContain('| `say` | `(text: string): void` |  |')
  expect(page).not.toContain('Hidden')
  expect(page).toContain('### Outcome\n\nHow it went.')
  expect(page).toContain('    /** Nobody was there. */\n')
  const shapes = readEntry(file).flatMap((one) => one.shapes)
  expect(shapes.map(({ comment }) => comment)).toEqual(['Nobody was there.', ''])
  expect(shapes.flatMap(({ members }) => members.map(({ isTag }) => isTag))).toEqual([
    true,
    true,
    false,
  ])
})

test('links between pages stay, others lead to the sources, and comments are left out', () => {
  const pages = new Map([
    ['docs/index.md', 'contents.md'],
    ['docs/cli/call.md', 'cli/call.md'],
  ])

  const text = siteLinks(
    '<!-- by a test -->\n\n[a](../index.md#top) [b](../../examples/x.ts) [c](https://e.example) `[d](../index.md)`',
    'docs/cli/call.md',
    pages,
  )

  expect(text).toBe(
    `[a](../contents.md#top) [b](${repository}/blob/main/examples/x.ts) [c](https://e.example) \`[d](../index.md)\``,
  )
})

test('llms.txt names every page with its first sentence', () => {
  const text = llmsText(
    new Map([['tools.md', '# Tools\n\nOffer [functions](a.md). More.\n\nRest']]),
  )

  expect(text).toContain('- [Tools](/tools.md): Offer functions.')
})

/** Brings together what the site shows: the pages of `docs/`, the landing page, the API reference and `llms.txt`. */

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { landingPage } from './landing.mjs'
import { repository, siteLinks } from './links.mjs'
import { llmsText } from './llms.mjs'
import { movedPages } from './moved.mjs'
import { readEntry } from './reference/declarations.mjs'
import { readEntries } from './reference/entries.mjs'
import { referencePage } from './reference/reference-page.mjs'
import { isSearched } from './search.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
const site = join(root, 'site')
export const contentFolder = join(site, '.content')

/** Pages outside of `docs/` that people look for. */
const others = new Map([
  ['CONTRIBUTING.md', 'contributing.md'],
  ['SECURITY.md', 'security.md'],
  ['CHANGELOG.md', 'changes.md'],
  ['examples/README.md', 'examples.md'],
  ['packages/cluster/README.md', 'cluster-package.md'],
  ...['everything', 'fetch', 'filesystem', 'git', 'memory', 'sequential-thinking', 'time'].map(
    (name) => /** @type {const} */ ([`servers/${name}/README.md`, `servers/${name}.md`]),
  ),
])

/** Where every page of the repository is on the site. Pages for contributors are in the repository alone. */
export function sitePages() {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const pages = new Map(others)
  for (const file of docs) {
    if (/^internals\/.*\.md$/.test(file)) continue
    if (/\.(md|png|svg)$/.test(file)) pages.set(`docs/${file}`, placeOf(file))
  }
  return pages
}

/** The table of contents makes room for the landing page; a folder's README is its first page. */
function placeOf(/** @type {string} */ file) {
  if (file === 'index.md') return 'contents.md'
  return file.replace(/README\.md$/, 'index.md')
}

/** The Markdown of every page, by its place on the site. */
export function readContent() {
  const pages = sitePages()
  /** @type {Map<string, string>} */
  const markdown = new Map()
  for (const [page, place] of pages) {
    if (!place.endsWith('.md')) continue
    markdown.set(place, siteLinks(readFileSync(join(root, page), 'utf8'), page, pages))
  }
  for (const entry of readEntries(root)) {
    markdown.set(`reference/${entry.page}.md`, referencePage(entry))
  }
  return markdown.set('reference/index.md', referenceIndex())
}

/** Writes everything that VitePress builds the site from into `contentFolder`. Returns the Markdown of every page. */
export function writeContent() {
  rmSync(contentFolder, { recursive: true, force: true })
  for (const [page, place] of sitePages()) {
    if (!place.endsWith('.md')) copy(join(root, page), place)
  }
  const markdown = readContent()
  for (const [place, text] of markdown) {
    write(place, frontmatterOf(place) + text)
    write(`public/${place}`, text) // beside the page, for whoever reads Markdown
  }
  for (const [from, to] of Object.entries(movedPages)) {
    write(`public/${from.replace(/(?:index)?\.md$/, '') || 'index'}.html`, redirectPage(to))
  }
  write('index.md', landingPage(root))
  copy(join(root, 'packages/page/public/icon.svg'), 'public/icon.svg')
  write('public/llms.txt', llmsText(markdown))
  write('public/llms-full.txt', [...markdown.values()].join('\n\n---\n\n'))
  return markdown
}

/** What VitePress has to know of a page. @param {string} place */
function frontmatterOf(place) {
  const lines = [
    ...(isSearched(place) ? [] : ['search: false']),
    ...(place.startsWith('reference/') ? ['pageClass: reference'] : []),
  ]
  return lines.length === 0 ? '' : `---\n${lines.join('\n')}\n---\n\n`
}

/** A page that sends the browser to where its text is now. @param {string} to */
export function redirectPage(to) {
  const address = to.startsWith('internals/')
    ? `${repository}/blob/main/docs/${to}`
    : `/${to.replace(/(?:index)?\.md(?=#|$)/, '')}`
  return `<!doctype html><meta charset="utf-8"><title>Moved</title><link rel="canonical" href="${address}"><meta http-equiv="refresh" content="0; url=${address}"><a href="${address}">This page has moved.</a>\n`
}

function referenceIndex() {
  const rows = readEntries(root).map(
    ({ name, page, file }) => `| [\`${name}\`](./${page}.md) | ${mainNames(file)} |`,
  )
  return `# API reference\n\nEverything the packages export, by the name it is imported from.\n\n| entry | among others |\n|---|---|\n${rows.join('\n')}\n`
}

/** A few names by which people recognize an entry: functions first. @param {string} file */
function mainNames(file) {
  const kinds = ['function', 'class', 'const', 'interface', 'type']
  const names = readEntry(file).toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
  return names
    .slice(0, 6)
    .map(({ name }) => `\`${name}\``)
    .join(', ')
}

/**
 * @param {string} place
 * @param {string} text
 */
function write(place, text) {
  const path = join(contentFolder, place)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/**
 * @param {string} from
 * @param {string} place
 */
function copy(from, place) {
  const path = join(contentFolder, place)
  mkdirSync(dirname(path), { recursive: true })
  cpSync(from, path)
}

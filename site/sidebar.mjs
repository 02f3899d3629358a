/** The navigation, from the table of contents: its headings are groups, its links are pages. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { root, sitePages } from './content.mjs'
import { readEntries } from './reference/entries.mjs'

export function readSidebar() {
  const pages = sitePages()
  const contents = readFileSync(join(root, 'docs/index.md'), 'utf8')
  const groups = contents.split(/^## /m).slice(1)
  const sidebar = groups.map((group) => {
    const [title = ''] = group.split('\n', 1)
    const items = [...group.matchAll(/\[([^\]]+)\]\(([^)#\s]+\.md)\)/g)].flatMap(
      ([, text = '', link = '']) => {
        const place = pages.get(join('docs', link))
        return place === undefined ? [] : [{ text: titleOf(text), link: linkOf(place) }]
      },
    )
    return { text: plain(title), items }
  })
  const reference = readEntries(root).map(({ name, page }) => ({
    text: name.replace('@parley/', ''),
    link: `/reference/${page}`,
  }))
  // With a link, the mark that opens the group is the only button of its line.
  const group = { text: 'API reference', link: '/reference/', collapsed: true, items: reference }
  return [...sidebar, group]
}

function linkOf(/** @type {string} */ place) {
  return `/${place.replace(/(?:index)?\.md$/, '')}`
}

/** With a capital, unless it begins with code. */
function titleOf(/** @type {string} */ text) {
  return plain(text.charAt(0).toUpperCase() + text.slice(1))
}

function plain(/** @type {string} */ text) {
  return text.replaceAll('`', '')
}

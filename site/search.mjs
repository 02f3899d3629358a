/** How the site is searched: by MiniSearch, section by section, as VitePress does it with these settings. */

import { anchorOf } from './anchors.mjs'

/** Long lists that have every word in them, and would come first whatever one looks for. */
const unsearched =
  /^(?:requirements\/|changes|conformance|interoperability|releasing|dependencies|contents|performance-cases|cluster-tests)/

/** @param {string} place of a page on the site */
export function isSearched(place) {
  return !unsearched.test(place)
}

/** Both functions are sent to the browser as text, so they can use nothing from outside. */
export const searchSettings = {
  options: {
    fields: ['title', 'titles', 'text', 'address'],
    storeFields: ['title', 'titles'],
    /**
     * The address of a page is searched too, for its first section: `elicitation` is in no heading of *Ask the user*.
     *
     * @param {any} section
     * @param {string} field
     */
    extractField(section, field) {
      if (field !== 'address') return section[field]
      return section.titles?.length === 0
        ? section.id.replace(/#.*$/, '').replaceAll(/\W+/g, ' ')
        : ''
    },
    /**
     * Words that say nothing about what is looked for are left out, of pages and of questions.
     *
     * @param {string} term
     */
    processTerm(term) {
      const word = term.toLowerCase()
      const isEmpty =
        /^(?:an?|and|are|as|at|be|by|can|does?|for|from|get|have|how|i|if|in|is|it|its|mcp|me|my|of|on|or|our|parley|should|that|the|them?|there|this|to|use|using|want|we|what|when|where|which|why|will|with|you|your)$/.test(
          word,
        )
      return isEmpty ? null : word
    },
  },
  searchOptions: {
    boost: { title: 6, titles: 2, address: 3 },
    fuzzy: 0.2,
    prefix: true,
    /** Guides come before the pages of the reference, but not before its first one. @param {string} id */
    boostDocument: (id) => (/\/reference\/[^#]/.test(id) ? 0.2 : 1),
  },
}

/**
 * The sections of a page: what is below a heading, up to the next one.
 *
 * @param {string} place of the page on the site, such as `cli/call.md`
 * @param {string} markdown
 * @returns {{ id: string, title: string, titles: string[], text: string }[]}
 */
export function pageSections(place, markdown) {
  const page = `/${place.replace(/(?:index)?\.md$/, '')}`
  /** @type {string[]} */
  const above = []
  return headedParts(markdown).map(({ level, title, text }) => {
    above.length = level - 1
    const titles = above.filter((one) => one !== undefined)
    above[level - 1] = title
    return { id: `${page}#${anchorOf(title)}`, title, titles, text }
  })
}

/** @param {string} markdown */
function headedParts(markdown) {
  /** @type {{ level: number, title: string, text: string }[]} */
  const parts = []
  let isCode = false
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const [, marks = '', title = ''] = isCode ? [] : (/^(#{1,6}) (.*)$/.exec(line) ?? [])
    const last = parts.at(-1)
    if (marks !== '') parts.push({ level: marks.length, title: plain(title), text: '' })
    else if (last !== undefined) last.text += `${plain(line)}\n`
  }
  return parts
}

/** Without links and marks. @param {string} text */
function plain(text) {
  return text.replaceAll(/\]\([^)]*\)/g, '').replaceAll(/[`*[\]|]/g, '')
}

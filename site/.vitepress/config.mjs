import { defineConfig } from 'vitepress'

import { anchorOf } from '../anchors.mjs'
import { contentFolder } from '../content.mjs'
import { repository } from '../links.mjs'
import { searchSettings } from '../search.mjs'
import { readSidebar } from '../sidebar.mjs'

/**
 * A heading of a column without words is an ordinary cell: screen readers announce headings.
 *
 * @param {import('vitepress').MarkdownRenderer} md
 */
function plainEmptyHeaders(md) {
  md.core.ruler.push('plain-empty-headers', ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      if (token.type !== 'th_open' || tokens[at + 1]?.content !== '') continue
      token.tag = 'td'
      const close = tokens[at + 2]
      if (close) close.tag = 'td'
    }
  })
}

/**
 * Cells with a sentence in them get room for some words of it, so that a narrow window scrolls a table instead of breaking
 * it after every word.
 *
 * @param {import('vitepress').MarkdownRenderer} md
 */
function roomyCells(md) {
  md.core.ruler.push('roomy-cells', ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      const text = tokens[at + 1]?.children?.map(({ content }) => content).join('') ?? ''
      if (token.type === 'td_open' && text.length > 40) token.attrJoin('class', 'sentence')
    }
  })
}

export default defineConfig({
  title: 'Parley',
  description: 'The Model Context Protocol in TypeScript',
  srcDir: contentFolder,
  outDir: new URL('../dist', import.meta.url).pathname,
  cacheDir: new URL('../.cache', import.meta.url).pathname,
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }]],
  lastUpdated: false,
  ignoreDeadLinks: [/^https?:\/\/localhost/],
  srcExclude: ['public/**'],
  markdown: {
    html: false, // our pages are Markdown alone, and may name tags
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { jsonl: 'json', jsonc: 'json' },
    config: (md) => md.use(plainEmptyHeaders).use(roomyCells),
  },
  themeConfig: {
    logo: '/icon.svg',
    siteTitle: 'Parley Docs',
    nav: [
      { text: 'Guide', link: '/get-started' },
      { text: 'API', link: '/reference/' },
      { text: 'Commands', link: '/cli/' },
      { text: 'Recipes', link: '/recipes' },
    ],
    sidebar: readSidebar(),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: searchSettings,
        translations: {
          button: { buttonText: 'Search the docs', buttonAriaLabel: 'Search the docs' },
        },
      },
    },
    notFound: {
      title: 'Page not found',
      quote: 'There is no page at this address. Use the search above, or begin at the start page.',
      linkLabel: 'Go to the start page',
      linkText: 'Go to the start page',
    },
    socialLinks: [{ icon: 'github', link: repository }],
  },
})

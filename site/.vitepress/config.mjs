import { defineConfig } from 'vitepress'

import { contentFolder } from '../content.mjs'
import { repository } from '../links.mjs'
import { searchSettings } from '../search.mjs'
import { readSidebar } from '../sidebar.mjs'

export default defineConfig({
  title: 'Parley',
  description: 'The Model Context Protocol in TypeScript',
  srcDir: contentFolder,
  outDir: new URL('../dist', import.meta.url).pathname,
  cacheDir: new URL('../.cache', import.meta.url).pathname,
  cleanUrls: true,
  lastUpdated: false,
  ignoreDeadLinks: [/^https?:\/\/localhost/],
  srcExclude: ['public/**'],
  markdown: {
    html: false, // our pages are Markdown alone, and may name tags
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { jsonl: 'json', jsonc: 'json' },
  },
  themeConfig: {
    nav: [
      { text: 'Get started', link: '/get-started' },
      { text: 'Inspector', link: '/inspector' },
      { text: 'Command line', link: '/cli/' },
      { text: 'Reference', link: '/reference/' },
    ],
    sidebar: readSidebar(),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: searchSettings,
      },
    },
    socialLinks: [{ icon: 'github', link: repository }],
  },
})

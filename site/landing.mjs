/** The first page of the site: its words and programs from `landing.md`, figures and icons from where they belong. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { measuredCases } from './measured.mjs'

/**
 * The Markdown that VitePress makes the page of; `theme/landing.mjs` lays it out.
 *
 * @param {string} root of the repository
 */
export function landingPage(root) {
  const cases = readFileSync(join(root, 'docs/internals/performance-cases.md'), 'utf8')
  const icons = readFileSync(join(root, 'packages/page/src/icons.tsx'), 'utf8')
  const page = readFileSync(join(root, 'site/landing.md'), 'utf8')
    .replace('measured: []', `measured: ${JSON.stringify(measuredCases(cases))}`)
    .replaceAll(/icon: (\w+)/g, (_, /** @type {string} */ name) => `icon: '${iconOf(icons, name)}'`)
  const begin = page.indexOf('```')
  return `${page.slice(0, begin)}::: code-group\n\n${inTabs(page.slice(begin))}\n:::\n`
}

/** A program whose first line is the name of its file gets a tab with this name. @param {string} programs */
function inTabs(programs) {
  return programs.replaceAll(/^```ts(?: run)?\n\/\/ (\S+)\n/gm, '```ts [$1]\n')
}

/**
 * The lines of an icon, as the pages of the programs draw it.
 *
 * @param {string} icons
 * @param {string} name
 */
function iconOf(icons, name) {
  const [, lines] = new RegExp(`^  ${name}:\\s+'([^']+)'`, 'm').exec(icons) ?? []
  if (lines === undefined)
    throw new Error(`site/landing.md names an icon ${name} that is not there`)
  return lines
}

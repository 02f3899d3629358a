#!/usr/bin/env node
/**
 * `npm run docs:check` opens the built site in Chromium and looks for what keeps people from reading it. Every page is
 * measured at three widths: pages wider than the window, squeezed tables, broken pictures, links to headings that are not
 * there. Some pages are also looked at light and dark, with axe, and pictures of them are written to `site/.pictures`.
 */

import { createReadStream, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { env, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

import { AxeBuilder } from '@axe-core/playwright'
import { chromium } from 'playwright-core'

const dist = fileURLToPath(new URL('dist', import.meta.url))
const pictures = fileURLToPath(new URL('.pictures', import.meta.url))

/** One of each kind: the landing page, guides with tables and code, long ones, the command line, the reference. */
const pages = [
  '/',
  '/get-started',
  '/http',
  '/troubleshooting',
  '/revisions',
  '/inspector',
  '/gateway',
  '/host',
  '/registry',
  '/cluster',
  '/cli/',
  '/reference/mcp-server',
  '/reference/mcp-client',
  '/no-such-page',
]
/** What is typed into the search of the last view. */
const searched = 'API key'
const widths = [390, 834, 1440]
/** @type {('light' | 'dark')[]} */
const schemes = ['light', 'dark']

/** @type {Record<string, string>} */
const types = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** The headings of pages that were asked for. @type {Map<string, Promise<Set<string>>>} */
const headings = new Map()

if (!existsSync(dist)) {
  console.error('there is no site/dist: run npm run docs:build first')
  exit(1)
}
mkdirSync(pictures, { recursive: true })
const server = createServer(answer).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const address = server.address()
const port = typeof address === 'object' ? address?.port : undefined
const browser = await chromium.launch({
  executablePath: env['PARLEY_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
})
let faults = await measureAll()
for (const colorScheme of schemes) {
  for (const width of widths) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
    const view = `${width}-${colorScheme}`
    for (const path of [...pages, undefined]) {
      const page = await context.newPage()
      const found = await (path === undefined ? search(page, view) : look(page, path, view))
      for (const fault of found)
        console.log(`${path ?? 'search'} ${width} ${colorScheme}: ${fault}`)
      faults += found.length
      await page.close()
    }
    await context.close()
  }
}
await browser.close()
server.close()
console.log(`${(pages.length + 1) * widths.length * schemes.length} views, ${faults} faults`)
if (faults > 0) exit(1)

/** Opens every page once, and resizes the window. @returns {Promise<number>} of faults */
async function measureAll() {
  const page = await browser.newPage()
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  const paths = files.filter((file) => file.endsWith('.html') && file !== '404.html')
  let found = 0
  for (const path of paths) {
    await page.goto(`http://127.0.0.1:${port}/${path.replace(/(?:index)?\.html$/, '')}`)
    const told = await missingHeadings(page, files)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      told.push(...(await measure(page)).map((fault) => `${width}: ${fault}`))
    }
    for (const fault of told) console.log(`${path} ${fault}`)
    found += told.length
  }
  await page.close()
  console.log(`${paths.length} pages measured, ${found} faults`)
  return found
}

/**
 * Links of the text to headings that their page does not have.
 *
 * @param {import('playwright-core').Page} page
 * @param {readonly string[]} files of the site
 */
async function missingHeadings(page, files) {
  const links = await page.evaluate(() =>
    [...document.querySelectorAll('.vp-doc a[href*="#"]')]
      .map((link) => new URL(/** @type {HTMLAnchorElement} */ (link).href))
      .filter(({ origin }) => origin === location.origin)
      .map(({ pathname, hash }) => [pathname, decodeURIComponent(hash.slice(1))]),
  )
  /** @type {string[]} */
  const missing = []
  for (const [path = '', id = ''] of links) {
    const file = `${path.slice(1)}${path.endsWith('/') ? 'index' : ''}.html`
    if (!files.includes(file)) continue
    const known = headings.get(file) ?? idsOf(file)
    headings.set(file, known)
    if (!(await known).has(id)) missing.push(`has a link to ${path}#${id}, which is not there`)
  }
  return missing
}

/** @param {string} file */
async function idsOf(file) {
  const text = await readFile(join(dist, file), 'utf8')
  return new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id))
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} path
 * @param {string} view
 * @returns {Promise<string[]>}
 */
async function look(page, path, view) {
  await page.goto(`http://127.0.0.1:${port}${path}`, { waitUntil: 'networkidle' })
  return classify(page, `${view}${path.replaceAll('/', '_').replace(/^_$/, '_landing')}`)
}

/**
 * The results of a search, over a page.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} view
 */
async function search(page, view) {
  await page.goto(`http://127.0.0.1:${port}/tools`, { waitUntil: 'networkidle' })
  await page.keyboard.press('Control+k')
  await page.locator('#localsearch-input').fill(searched)
  await page.locator('#localsearch-list .result').first().waitFor()
  return classify(page, `${view}_search`)
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} name of the picture
 * @returns {Promise<string[]>}
 */
async function classify(page, name) {
  await page.screenshot({ path: join(pictures, `${name}.png`) })
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'])
    .disableRules(name.endsWith('_search') ? ['nested-interactive'] : []) // VitePress calls its search box a button
    .analyze()
  const told = violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.length}, such as ${nodes[0]?.html})`,
  )
  return [...told, ...(await measure(page))]
}

/**
 * What is too wide, too narrow or missing in a window of this size.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
async function measure(page) {
  const seen = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth - window.innerWidth,
    broken: [...document.images].filter((one) => one.complete && one.naturalWidth === 0).length,
    squeezed: [...document.querySelectorAll('.vp-doc td')]
      .filter((cell) => (cell.textContent ?? '').length > 60 && cell.clientWidth < 160)
      .map((cell) => `${cell.clientWidth} pixels for "${cell.textContent?.slice(0, 60)}…"`),
  }))
  const [squeezed] = seen.squeezed
  return [
    ...(seen.wide > 0 ? [`wider than the window by ${seen.wide} pixels`] : []),
    ...(seen.broken > 0 ? [`${seen.broken} pictures are missing`] : []),
    ...(squeezed === undefined ? [] : [`${seen.squeezed.length} squeezed cells: ${squeezed}`]),
  ]
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function answer(request, response) {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const path = pathname.endsWith('/') ? `${pathname}index` : pathname
  const found = [path, `${path}.html`]
    .map((one) => join(dist, one))
    .find((one) => extname(one) && existsSync(one))
  const file = found ?? join(dist, '404.html')
  response.writeHead(found ? 200 : 404, { 'content-type': types[extname(file)] ?? 'text/html' })
  createReadStream(file).pipe(response)
}

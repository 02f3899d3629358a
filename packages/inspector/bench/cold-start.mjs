#!/usr/bin/env node
/**
 * How long it takes from `parley inspect` to a page that can be used: `node packages/inspector/bench/cold-start.mjs
 * [rounds]`, after a build. Each round starts a process and a browser profile of its own. Needs Chromium at
 * /usr/bin/chromium.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, env, execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { chromium } from 'playwright-core'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const program = join(root, 'packages/cli/dist/main.js')
const everything = join(root, 'servers/everything/dist/main.js')
const rounds = Number(argv[2] ?? 5)

const browser = await chromium.launch({
  executablePath: env['PARLEY_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync'],
})
const results = []
for (let round = 0; round < rounds; round += 1) results.push(await measure())
await browser.close()

const middle = (name) =>
  Math.round(results.map((one) => one[name]).toSorted((a, b) => a - b)[Math.floor(rounds / 2)])
console.log(`of ${rounds} rounds, the middle one:`)
console.log(`program to its link      ${middle('link')} ms`)
console.log(
  `link to a usable page    ${middle('page')} ms   (tabs and the overview of a connected server)`,
)
console.log(`both                     ${middle('both')} ms`)
console.log(`fetched by then          ${middle('kib')} KiB in ${middle('requests')} requests`)
console.log(`all of the page          ${Math.round(await sizeOfPage())} KiB`)

/** One start, from nothing to the overview. */
async function measure() {
  const state = await mkdtemp(join(tmpdir(), 'parley-cold-'))
  const start = performance.now()
  const child = spawn(
    execPath,
    [program, 'inspect', '--no-open', '--port', '0', '--', execPath, everything],
    { env: { ...env, PARLEY_STATE: state, NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const url = await linkOf(child)
  const link = performance.now() - start
  const context = await browser.newContext()
  const page = await context.newPage()
  const finished = []
  page.on('requestfinished', (request) => finished.push(request))
  const opened = performance.now()
  await page.goto(url)
  await page.getByRole('region', { name: 'What we requested' }).waitFor()
  const shown = performance.now()
  const sizes = await Promise.all([...finished].map((request) => request.sizes()))
  const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
  const fetched = { kib: bytes / 1024, requests: sizes.length }
  await context.close()
  child.kill()
  await once(child, 'exit')
  await rm(state, { recursive: true, force: true })
  return { link, page: shown - opened, both: link + shown - opened, ...fetched }
}

/** The first address that the program prints. */
function linkOf(child) {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)))
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        const found = /https?:\/\/\S+#secret=\S+/.exec(line)?.[0]
        if (found !== undefined) resolve(found)
      })
    }
  })
}

async function sizeOfPage() {
  const folder = join(root, 'packages/inspector/dist/page/assets')
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

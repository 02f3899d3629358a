#!/usr/bin/env node
/**
 * Counts what a newcomer does and waits for: from `npx @parley/chat` to the first answered question with a call, and from `npm start` to
 * the first result of a tool. Both programs start with an empty home, in a browser without a profile. Run it after `npm run build`.
 *
 * A click is one press of a button, a link or a tick box, also by key; a field is one text that is typed. Seconds are those of the
 * machine: they count the program, the page and the server, and no time for reading.
 */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { execPath } from 'node:process'

import { chromium } from 'playwright-core'

import { root } from './source-files.mjs'

const server = join(root, 'servers/everything/dist/main.js')
const programs = {
  chat: ['packages/chat/dist/program/main.js', '--no-open', '--port', '0'],
  start: ['scripts/start.mjs', '--no-open', '--port', '0'],
}
const ways = [
  {
    name: 'npx @parley/chat, to the first answered question with a call',
    args: programs.chat,
    walk: askInChat,
  },
  { name: 'npm start, to the first result of a tool', args: programs.start, walk: runInInspector },
]

/** @typedef {import('playwright-core').Page} Page */

const browser = await chromium.launch({
  executablePath: process.env['PARLEY_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
})
for (const { name, args, walk } of ways) {
  const home = mkdtempSync(join(tmpdir(), 'parley-newcomer-'))
  const began = performance.now()
  const [file = '', ...flags] = args
  const child = spawn(execPath, [join(root, file), ...flags], {
    cwd: home,
    env: { ...process.env, HOME: home, PARLEY_STATE: join(home, 'state') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const counted = countOn(page)
  try {
    await page.goto(await addressOf(child.stdout))
    await walk(counted, page)
    const seconds = ((performance.now() - began) / 1_000).toFixed(1)
    console.log(`${name}: ${counted.clicks} clicks, ${counted.fields} fields, ${seconds} s`)
  } finally {
    await page.close()
    child.kill()
    await new Promise((resolve) => child.once('exit', resolve))
    rmSync(home, { recursive: true, force: true })
  }
}
await browser.close()

/**
 * The chat: a server by its command, a question, and consent to the call.
 *
 * @param {Counted} user
 * @param {Page} page
 */
async function askInChat(user, page) {
  await page
    .getByRole('region', { name: 'Finish setting up' })
    .getByRole('button', { name: 'Add server' })
    .click()
  user.clicks += 1
  await user.clickText('Add a server by its address or command')
  await user.type('Address or command', `node ${server}`)
  await user.type('Name', 'everything')
  await user.click('Look at the command')
  await user.click('Run and add it')
  await page.getByText('everything', { exact: true }).first().waitFor()
  await page.locator('[data-composer]').fill('call everything__echo {"message": "hello"}')
  user.fields += 1
  await page.locator('[data-composer]').press('Enter')
  user.clicks += 1
  await user.click(/^Allow once/)
  await page.getByText('Echo: hello').last().waitFor()
}

/**
 * The Inspector: the first tool is open, with its form.
 *
 * @param {Counted} user
 * @param {Page} page
 */
async function runInInspector(user, page) {
  await user.click('Run')
  await page.getByRole('region', { name: 'Result', exact: true }).waitFor()
}

/** @typedef {ReturnType<typeof countOn>} Counted */

/** What somebody does on a page, counted. @param {Page} page */
function countOn(page) {
  const counted = {
    clicks: 0,
    fields: 0,
    /** @param {string | RegExp} name */
    async click(name) {
      const isExact = typeof name === 'string'
      await page
        .getByRole('button', { name, ...(isExact && { exact: true }) })
        .first()
        .click()
      counted.clicks += 1
    },
    /** @param {string} text */
    async clickText(text) {
      await page.getByText(text).first().click()
      counted.clicks += 1
    },
    /**
     * @param {string} label
     * @param {string} text
     */
    async type(label, text) {
      await page.getByRole('textbox', { name: label }).first().fill(text)
      counted.fields += 1
    },
  }
  return counted
}

/**
 * The link that a program prints.
 *
 * @param {import('node:stream').Readable} output
 * @returns {Promise<string>}
 */
async function addressOf(output) {
  let text = ''
  for await (const chunk of output) {
    text += String(chunk)
    const [url] = /http:\/\/\S+/.exec(text) ?? []
    if (url !== undefined && text.includes('\n')) return url
  }
  throw new Error(`the program ended without a link: ${text}`)
}

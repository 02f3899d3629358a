#!/usr/bin/env node
/**
 * Takes the pictures of docs/inspector.md anew: `node packages/inspector/bench/pictures.mjs [folder] [name…]`, after a
 * build. Needs Chromium at /usr/bin/chromium.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { argv, env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { oauthGuard } from '@parley/auth/resource'
import { createDemoAuth } from '@parley/auth/server'
import { startInspector } from '@parley/inspector'
import { serveHttp } from '@parley/mcp/node'
import { createServer as createMcpServer } from '@parley/mcp/server'
import { createRegistry } from '@parley/registry'
import { openCatalogue, schemaUrl } from '@parley/registry/client'
import { chromium } from 'playwright-core'

import { shrinkPng } from '../../../test-support/small-png.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))
// Commands are shown in pictures, so they are written as seen from here.
process.chdir(root)
const everything = 'servers/everything/dist/main.js'
const [folder = join(root, 'docs/inspector'), ...wanted] = argv.slice(2)
const maxBytes = 150_000

const port = await freePort()
const guarded = spawn(execPath, [everything, 'streamableHttp', '--auth'], {
  env: { ...env, PORT: String(port) },
  stdio: ['ignore', 'ignore', 'pipe'],
})
await once(guarded.stderr, 'data')
const notes = await serveNotes()
const registry = await fillRegistry()
const stateDirectory = await mkdtemp(join(tmpdir(), 'parley-pictures-'))
const inspector = await startInspector({
  noOpen: true,
  port: 0,
  stateDirectory,
  openCatalogue: async () =>
    openCatalogue({ url: 'https://registry.example.com', fetch: registry.fetch }),
  ...(env.INSPECTOR_PAGE && { pageFolder: env.INSPECTOR_PAGE }),
  servers: [
    { name: 'everything', entry: program(everything, 'stdio', '--extras'), connect: true },
    { name: 'time', entry: program('servers/time/dist/main.js'), connect: true },
    { name: 'guarded', entry: { url: `http://127.0.0.1:${port}/mcp` } },
    { name: 'notes', entry: { url: notes.url.href } },
    { name: 'flaky', entry: program('packages/inspector/test/service/troubled-server.mjs') },
  ],
})
const browser = await chromium.launch({
  executablePath: env['PARLEY_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync'],
})

/** What each picture shows; each begins with a fresh page that has a few calls behind it. */
const pictures = {
  async overview(page) {
    await go(page, 'everything', 'overview')
    await page.getByRole('region', { name: 'What we requested' }).waitFor()
  },
  async tools(page) {
    await run(page, 'get-structured-content')
  },
  async resources(page) {
    await go(page, 'everything', 'resources', 'demo://resource/dynamic/text/{resourceId}')
    await page.getByLabel('resourceId').first().fill('42')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Read', exact: true }).first().click()
    await page.getByText(/read in/).waitFor()
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
    await page.getByText('watching').waitFor()
  },
  async prompts(page) {
    await go(page, 'everything', 'prompts', 'completable-prompt')
    await fillCompleted(page, /department/i, 'Eng', 'Engineering')
    await fillCompleted(page, /name/i, 'Al', 'Alice')
    await page.getByRole('button', { name: 'Get messages' }).click()
    await page.getByRole('list', { name: 'Messages' }).waitFor()
  },
  async skills(page) {
    await go(page, 'everything', 'skills')
    await page.getByRole('option').first().click()
    await page.getByText('SKILL.md').first().waitFor()
  },
  async app(page) {
    await page.setViewportSize({ width: 1280, height: 960 })
    await go(page, 'everything', 'tools', 'roll-dice')
    await page.locator('[data-run]').click()
    const app = page.frameLocator('.app-frame iframe').frameLocator('iframe')
    await app.getByRole('button', { name: 'Roll again' }).click()
    await page.getByText('The app wants to call roll-dice').waitFor()
  },
  async requests(page) {
    await go(page, 'everything', 'tools', 'trigger-elicitation-request')
    await page.locator('[data-run]').click()
    await page.getByRole('button', { name: /requests? waits?/ }).click()
    await page.getByText('Accept', { exact: true }).first().waitFor()
  },
  async tasks(page) {
    await go(page, 'everything', 'tools', 'simulate-research-query')
    await page.getByRole('textbox', { name: /^topic/ }).fill('tea')
    await page.getByRole('button', { name: 'More ways to run' }).click()
    await page.getByRole('menuitem', { name: 'Run as task' }).click()
    await go(page, 'everything', 'tasks')
    await page.getByText('Research report').waitFor()
  },
  async logs(page) {
    await run(page, 'toggle-simulated-logging')
    for (let count = 0; count < 8; count += 1) await run(page, 'get-tiny-image')
    await go(page, 'everything', 'logs')
    await page.locator('.log-row').nth(4).waitFor()
  },
  async 'sign-in'(page) {
    await go(page, 'guarded', 'overview')
    await page.getByRole('main').getByRole('button', { name: 'Connect' }).click()
    await page.getByText('guarded requires sign-in').waitFor()
  },
  async auth(page) {
    await go(page, 'guarded', 'auth')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Open sign-in page' }).waitFor()
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByText('401').nth(4).waitFor()
    await page.getByRole('heading', { name: 'Account' }).scrollIntoViewIfNeeded()
  },
  async 'step-up'(page) {
    await go(page, 'notes', 'auth')
    const card = page.getByRole('region', { name: 'Step-up' })
    await card.getByLabel('Tool').first().fill('write')
    await page.keyboard.press('Escape')
    await card.getByLabel('Start with these scopes').fill('notes:read')
    await card.getByRole('button', { name: 'Try it' }).click()
    const person = await page.context().newPage()
    const first = await linkOtherThan(page, undefined)
    await allow(person, first)
    await allow(person, await linkOtherThan(page, first))
    await person.close()
    await card.getByText('The call was sent again').waitFor()
    await card.getByText('The call was sent again').scrollIntoViewIfNeeded()
  },
  async bench(page) {
    await go(page, 'everything', 'bench')
    await page.getByRole('combobox', { name: 'Tool' }).click()
    await page.getByRole('option', { name: 'get-sum' }).click()
    await page.getByRole('textbox', { name: 'Seconds' }).fill('5')
    await page.getByRole('spinbutton', { name: /^a/ }).fill('19')
    await page.getByRole('spinbutton', { name: /^b/ }).fill('23')
    await page.getByRole('button', { name: 'Start the load' }).click()
    await page.locator('.bench-report .tag', { hasText: 'done' }).waitFor()
  },
  async collections(page) {
    await go(page, 'everything', 'collections')
    await page.getByRole('textbox', { name: 'Name of a new collection' }).fill('smoke')
    await page.getByRole('button', { name: 'Add the collection' }).click()
    await page.getByRole('button', { name: 'Add a request' }).click()
    await page.getByRole('combobox', { name: 'Tool' }).fill('echo')
    await page.getByRole('textbox', { name: /^message/ }).fill('hello')
    await page.getByRole('button', { name: 'Add a check' }).click()
    await page.getByRole('textbox', { name: /^Where/ }).fill('/content/0/text')
    await page.getByRole('textbox', { name: 'The value it must have' }).fill('"Echo: hello"')
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByText('1 of 1 passed').first().waitFor()
    await page.getByRole('textbox', { name: 'The value it must have' }).fill('"Echo: bye"')
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByText('0 of 1 passed').first().waitFor()
    await page.getByRole('combobox', { name: 'Compare with' }).click()
    await page.getByRole('option', { name: /1 of 1 passed/ }).click()
    await page.getByRole('table').getByText('fails now').scrollIntoViewIfNeeded()
  },
  async trace(page) {
    await run(page, 'get-tiny-image')
    await page.getByRole('button', { name: 'The trace on the full page (T)' }).click()
    await page.getByRole('textbox', { name: 'Filter of the trace' }).fill('server:everything')
    await page.locator('.trace-row', { hasText: 'tools/call' }).last().click()
    await page.locator('.trace-detail').waitFor()
  },
  async path(page) {
    await page.waitForTimeout(1500)
    await go(page, 'everything', 'tools', 'trigger-elicitation-request')
    await page.locator('[data-run]').first().click()
    await page.getByRole('button', { name: /requests? waits?/ }).click()
    await page.waitForTimeout(2600)
    await page.getByRole('button', { name: 'Decline', exact: true }).click()
    await page.waitForTimeout(1600)
    await run(page, 'get-tiny-image')
    const edge = page.getByRole('separator', { name: 'Height of the trace' })
    await edge.focus()
    for (let count = 0; count < 4; count += 1) await page.keyboard.press('ArrowUp')
    await page.getByRole('textbox', { name: 'Filter of the trace' }).fill('server:everything')
    await page.locator('.trace-scroll').evaluate((list) => {
      list.scrollTop = list.scrollHeight
    })
    // The last is its second round.
    const calls = page.locator('.trace-row', { hasText: 'trigger-elicitation-request' })
    await calls.nth((await calls.count()) - 2).click()
    await page.getByRole('radiogroup', { name: 'Part of the row' }).getByText('Time').click()
  },
  async spans(page) {
    await page.getByRole('button', { name: 'The trace on the full page (T)' }).click()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'What to do with the trace' }).click()
    await page.getByRole('menuitem', { name: 'Open a file…' }).click()
    const spans = 'packages/inspector/test/trace/fixtures/one-trace.otlp.jsonl'
    await (await chooser).setFiles(spans)
    await page.getByRole('textbox', { name: 'Filter of the trace' }).fill('')
    await page.locator('.trace-row', { hasText: 'SELECT notes' }).click()
    await page.locator('.trace-detail').waitFor()
  },
  async ended(page) {
    await go(page, 'flaky', 'overview')
    await page.getByRole('main').getByRole('button', { name: 'Connect' }).click()
    await go(page, 'flaky', 'tools', 'die')
    await page.locator('[data-run]').click()
    await page.getByText('flaky ended with code 3').waitFor()
  },
  async palette(page) {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Palette' }).waitFor()
    await page.keyboard.type('get')
  },
  async browse(page) {
    await page.getByRole('button', { name: 'Add a server' }).click()
    await page.getByText('Browse', { exact: true }).click()
    await page.getByRole('searchbox', { name: 'Search' }).fill('weather')
    const found = page.getByRole('list', { name: 'Servers found' })
    await found.getByRole('button').first().click()
    await page.getByRole('textbox', { name: 'WEATHER_KEY' }).fill('0123456789')
  },
  async command(page) {
    await page.getByRole('button', { name: 'Add a server' }).click()
    await page
      .getByRole('textbox', { name: 'Command line' })
      .fill('sudo npx -y some-server --root /etc')
    await page.getByRole('textbox', { name: 'Name' }).fill('some-server')
    await page.getByRole('button', { name: 'Review command' }).click()
    await page.getByText('This starts a program').waitFor()
  },
}
/** These need the room below. */
const withoutTrace = new Set([
  'auth',
  'sign-in',
  'step-up',
  'skills',
  'ended',
  'bench',
  'collections',
])
const { ended, command, ...others } = pictures
const looks = [
  ...Object.entries(others).map(([name, show]) => ({ name, show })),
  { name: 'dark', show: others.tools, dark: true },
  { name: 'trace-dark', show: others.path, dark: true },
  { name: 'narrow', show: async () => {}, width: 400, height: 800 },
  { name: 'ended', show: ended }, // these leave something in the rail, so they are the last
  { name: 'command', show: command },
]

try {
  await mkdir(folder, { recursive: true })
  for (const look of looks) {
    if (wanted.length === 0 || wanted.includes(look.name)) await take(look)
  }
} finally {
  await browser.close()
  await inspector.close()
  guarded.kill()
  await notes.service.drain({ deadlineMs: 0 })
  await registry.close()
  await rm(stateDirectory, { recursive: true, force: true })
}

/** Takes one picture, and says how large it is. */
async function take({ name, show, dark = false, width = 1280, height = 720 }) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  if (withoutTrace.has(name)) {
    await page.addInitScript(() => localStorage.setItem('parley-trace', 'false'))
  }
  await page.goto(inspector.createUrl())
  await page.getByRole('tablist', { name: /^Parts of/ }).waitFor()
  await run(page, 'echo', { message: 'hello' })
  await show(page)
  await page.mouse.move(width - 1, height - 1)
  await page.waitForTimeout(500)
  const path = join(folder, `${name}.png`)
  await page.screenshot({ path })
  const size = await shrinkPng(path)
  console.log(`${name}: ${size} bytes${size > maxBytes ? ', TOO LARGE' : ''}`)
  await leave(page)
  await context.close()
}

/** A registry with something to find. */
async function fillRegistry() {
  const filled = await createRegistry({ database: ':memory:' })
  await filled.importDocuments([
    {
      $schema: schemaUrl,
      name: 'io.github.ada/weather',
      title: 'Weather',
      version: '1.1.0',
      description: 'Forecasts, warnings and history for any place',
      packages: [
        {
          registryType: 'npm',
          identifier: '@ada/weather',
          version: '1.1.0',
          runtimeHint: 'npx',
          transport: { type: 'stdio' },
          environmentVariables: [
            {
              name: 'WEATHER_KEY',
              description: 'From your account page',
              isRequired: true,
              isSecret: true,
            },
            { name: 'REGION', choices: ['eu', 'us'], default: 'eu' },
          ],
        },
      ],
      remotes: [{ type: 'streamable-http', url: 'https://weather.example.org/mcp' }],
    },
  ])
  return filled
}

/** A server where reading is for everybody who signed in, and writing takes one scope more. */
async function serveNotes() {
  const url = new URL('/mcp', `http://127.0.0.1:${await freePort()}`)
  const scopes = { 'notes:read': 'Read notes', 'notes:write': 'Change notes' }
  const { authServer, user, password } = await createDemoAuth({ url, scopes })
  const server = createMcpServer({ name: 'notes', version: '1.0.0' })
  server.tool('read', {}, () => 'a note')
  server.tool('write', { scopes: ['notes:write'] }, () => 'written')
  const auth = oauthGuard({ issuer: authServer, scopes: ['notes:read'] })
  const service = await serveHttp(server, { port: Number(url.port), ownsProcess: false, url, auth })
  return { url, user, password, service }
}

/** The address a person is sent to, once it is another one. */
async function linkOtherThan(page, before) {
  const isOther = (old) => ![undefined, old].includes(document.querySelector('.note a')?.href)
  await page.waitForFunction(isOther, before)
  return page
    .locator('.note a')
    .first()
    .evaluate(({ href }) => href)
}

/** Signs in where that is asked for, and allows what is asked for. */
async function allow(person, url) {
  await person.goto(url)
  if (await person.locator('input[name=password]').isVisible()) {
    await person.locator('input[name=name]').fill(notes.user)
    await person.locator('input[name=password]').fill(notes.password)
    await person.locator('button[value=sign-in]').click()
  }
  await person.locator('button[value=allow]').click()
}

/** What waits for an answer is declined, so that the next picture begins with nothing open. */
async function leave(page) {
  const waiting = page.getByRole('button', { name: /requests? waits?/ })
  if (!(await waiting.isVisible())) return
  await waiting.click()
  await page.getByRole('button', { name: 'Decline', exact: true }).click()
  await waiting.waitFor({ state: 'detached' })
}

async function go(page, server, tab, item) {
  const parts = [server, tab, ...(item === undefined ? [] : [item])].map(encodeURIComponent)
  await page.evaluate(
    (hash) => {
      location.hash = hash
    },
    `#/${parts.join('/')}`,
  )
}

async function run(page, tool, values = {}) {
  await go(page, 'everything', 'tools', tool)
  await page.getByRole('heading', { name: new RegExp(`(?:^|\\s)${tool}$`) }).waitFor()
  if (Object.keys(values).length === 0)
    await page.getByRole('button', { name: 'Example' }).first().click()
  for (const [label, value] of Object.entries(values)) {
    await page.getByRole('textbox', { name: new RegExp(`^${label}`) }).fill(value)
  }
  await page.locator('[data-run]').click()
  await page.getByText('Answered', { exact: true }).first().waitFor()
}

async function fillCompleted(page, label, typed, value) {
  await page.getByLabel(label).first().fill(typed)
  await page.getByRole('option', { name: value }).click()
}

function program(...args) {
  return { command: 'node', args }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port: free } = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return free
}

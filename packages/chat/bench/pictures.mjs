#!/usr/bin/env node
/** Takes the pictures of docs/chat.md anew: `node packages/chat/bench/pictures.mjs [folder] [name…]`, after a build. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { argv, env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import {
  createChatSetup,
  openChat,
  openConversationStore,
  shownTarget,
  startChatPage,
} from '@parley/chat'
import { openAuditLog } from '@parley/foundation/audit'
import { loadConfig } from '@parley/foundation/config'
import { createScriptedModel } from '@parley/host/models'
import { chromium } from 'playwright-core'

import { shrinkPng } from '../../../test-support/small-png.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))
process.chdir(root)
const [folder = join(root, 'docs/chat'), ...wanted] = argv.slice(2)

/** What the model says in the pictures; it names itself as a model would be named. */
const model = createScriptedModel(
  ({ messages }) => {
    const asked = messages.filter(({ role }) => role === 'user').length
    const isAnswered = messages.at(-1)?.role === 'tool'
    if (asked === 1 && !isAnswered) {
      const calls = [
        { name: 'time__get_current_time', arguments: { timezone: 'Europe/Oslo' } },
        { name: 'everything__get-tiny-image', arguments: {} },
      ]
      return { text: 'I look at the clock and fetch the logo.', calls }
    }
    if (asked === 1) {
      return 'In Oslo the working day is on. Three things follow:\n\n1. **Send the invitation** before four.\n2. Use the logo above, it is `image/png`.\n3. The [guide](https://example.com/guide) has the rest.'
    }
    if (!isAnswered) {
      const args = { a: 19, b: 23 }
      return { text: 'I add them up.', calls: [{ name: 'everything__get-sum', arguments: args }] }
    }
    return 'Done.'
  },
  { name: 'scripted', announcement: '' },
)

const state = await mkdtemp(join(tmpdir(), 'parley-pictures-'))
const audit = openAuditLog({ path: join(state, 'audit.jsonl') })
const conversations = openConversationStore({ file: join(state, 'conversations.db') })
const program = (file, ...args) => ({ command: execPath, args: [file, ...args] })
const chat = await openChat({
  host: {
    servers: [
      { name: 'everything', target: program('servers/everything/dist/main.js', 'stdio') },
      { name: 'time', target: program('servers/time/dist/main.js') },
      { name: 'mail', target: 'http://127.0.0.1:9/mcp' },
    ],
    roots: ['/home/ada/invitations'],
  },
  consent: { audit },
  models: [model],
  conversations,
})
await chat.host.start()
const other = join(state, 'claude_desktop_config.json')
await writeFile(
  other,
  JSON.stringify({
    mcpServers: {
      files: { command: 'npx', args: ['-y', '@parley/server-filesystem', '/home/ada/invitations'] },
      calendar: { url: 'https://calendar.example.com/mcp' },
    },
  }),
)
const setup = createChatSetup(chat, {
  file: join(state, 'settings.json'),
  env: {},
  load: async () => {
    const loaded = await loadConfig({ files: [other] })
    const named = { file: '~/.config/Claude/claude_desktop_config.json', format: 'claude-desktop' }
    const entries = loaded.entries.map((entry) => ({
      ...entry,
      source: { ...entry.source, ...named },
    }))
    return { ...loaded, entries, files: [{ ...named, scope: 'user' }] }
  },
  toServer: (entry) => ({ name: entry.name, target: '', disabledReason: shownTarget(entry) }),
  openModel: () => model,
  own: {
    add: async (name) => ({ name, target: '', disabledReason: 'of the picture' }),
    remove: async () => undefined,
  },
  findLocal: async () => [
    { name: 'ollama/llama3.3', baseUrl: 'http://127.0.0.1:11434/v1', provider: 'ollama' },
  ],
})
const served = await startChatPage(chat, {
  setup,
  port: 0,
  noOpen: true,
  version: '0.1.0',
  folder: '/home/ada/invitations',
  roots: ['/home/ada/invitations'],
  stateDirectory: state,
})
const browser = await chromium.launch({
  executablePath: env['PARLEY_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync'],
})

/** What each picture shows, in this order: the conversation goes on from one to the next. */
const pictures = {
  async welcome(page) {
    await page.getByText('calendar.example.com').waitFor()
    await page.getByText('ollama/llama3.3').waitFor()
  },
  async batch(page) {
    await page.getByRole('button', { name: 'Start a conversation' }).click()
    await say(page, 'When can we send the invitation, and which logo do we use?')
    await page.getByRole('region', { name: 'The model wants to run 2 tools' }).waitFor()
  },
  async consent(page) {
    await page.getByRole('button', { name: 'Allow all once' }).click()
    await page.getByText('Send the invitation', { exact: true }).waitFor()
    await say(page, 'How many guests are that, 19 and 23?')
    await page.getByRole('region', { name: /wants to run get-sum/ }).waitFor()
  },
  async opened(page) {
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page
      .getByRole('region', { name: 'Call of get_current_time' })
      .getByRole('button')
      .first()
      .click()
    await page.getByRole('heading', { name: 'Decision' }).scrollIntoViewIfNeeded()
    await page.getByRole('combobox', { name: 'Message' }).focus()
    await page.keyboard.type('Look at @res')
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor()
  },
  async trace(page) {
    await page.getByRole('button', { name: 'Messages of servers' }).click()
    await page.getByText('tools/call').first().waitFor()
  },
  async narrow(page) {
    await page.getByRole('region', { name: /wants to run get-sum/ }).waitFor()
  },
}
const looks = { narrow: { width: 400, height: 760, dark: true } }

await mkdir(folder, { recursive: true })
let address = ''
try {
  for (const [name, prepare] of Object.entries(pictures)) {
    const { width = 1280, height = 800, dark = false } = looks[name] ?? {}
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    page.on('pageerror', (error) => console.error(error.message))
    page.on('console', (message) => message.type() === 'error' && console.error(message.text()))
    await page.goto(served.createUrl())
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    if (address !== '') {
      await page.evaluate(`location.hash = ${JSON.stringify(address)}`)
      await page.reload()
    }
    await prepare(page)
    address = new URL(page.url()).hash
    await page.waitForTimeout(800)
    if (wanted.length === 0 || wanted.includes(name)) {
      const path = join(folder, `${name}.png`)
      await page.screenshot({ path })
      console.log(`${name}: ${await shrinkPng(path)} bytes`)
    }
    await context.close()
  }
} finally {
  await browser.close()
  await served.close()
  await chat[Symbol.asyncDispose]()
  await conversations[Symbol.asyncDispose]()
  await audit[Symbol.asyncDispose]()
  await rm(state, { recursive: true, force: true })
}

async function say(page, text) {
  const field = page.getByRole('combobox', { name: 'Message' })
  await field.fill(text)
  await field.press('Enter')
}

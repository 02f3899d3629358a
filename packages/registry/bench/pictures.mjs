#!/usr/bin/env node
/** Takes the pictures of `docs/registry.md`: `node packages/registry/bench/pictures.mjs [folder] [name …]`. */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { argv, env } from 'node:process'
import { fileURLToPath } from 'node:url'

import { createRegistry, serveRegistry } from '@parley/registry'
import { readPublisherKey, schemaUrl } from '@parley/registry/client'
import { chromium } from 'playwright-core'

import { shrinkPng } from '../../../test-support/small-png.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const [folder = join(root, 'docs/registry'), ...wanted] = argv.slice(2)

const npm = (identifier, version, environmentVariables = []) => ({
  registryType: 'npm',
  identifier,
  version,
  runtimeHint: 'npx',
  transport: { type: 'stdio' },
  environmentVariables,
})
const key = {
  name: 'WEATHER_KEY',
  description: 'From your account page',
  isRequired: true,
  isSecret: true,
}
const region = {
  name: 'REGION',
  description: 'Where to look first',
  choices: ['eu', 'us'],
  default: 'eu',
}
const documents = [
  {
    name: 'io.github.ada/weather',
    title: 'Weather',
    version: '1.0.0',
    description: 'Forecasts and warnings for any place',
    packages: [npm('@ada/weather', '1.0.0', [key])],
  },
  {
    name: 'io.github.ada/weather',
    title: 'Weather',
    version: '1.1.0',
    description: 'Forecasts, warnings and history for any place',
    websiteUrl: 'https://weather.example.org/docs',
    repository: { url: 'https://github.com/ada/weather', source: 'github' },
    packages: [npm('@ada/weather', '1.1.0', [key, region])],
    remotes: [{ type: 'streamable-http', url: 'https://weather.example.org/mcp' }],
  },
  {
    name: 'com.example/maps',
    title: 'Maps',
    version: '2.3.0',
    description: 'Routes, places and the distance between them',
    remotes: [{ type: 'sse', url: 'https://maps.example.com/sse' }],
  },
  {
    name: 'com.example/map5',
    title: 'Maps',
    version: '1.0.0',
    description: 'Not the maps you know',
    remotes: [{ type: 'sse', url: 'https://map5.example.com/sse' }],
  },
  {
    name: 'com.example/tickets',
    title: 'Tickets',
    version: '0.4.0',
    description: 'Reads and files tickets of your tracker',
    packages: [
      {
        registryType: 'oci',
        identifier: 'ghcr.io/example/tickets:0.4.0',
        transport: { type: 'stdio' },
      },
    ],
  },
  {
    name: 'org.library/catalogue',
    title: 'Library catalogue',
    version: '1.0.0',
    description: 'Books, and whether they are in',
    packages: [
      {
        registryType: 'pypi',
        identifier: 'library-catalogue',
        version: '1.0.0',
        runtimeHint: 'uvx',
        transport: { type: 'stdio' },
      },
    ],
  },
]

const moderator = readPublisherKey('ab'.repeat(32))
const { algorithm, publicKey } = moderator
const ada = { algorithm, publicKey, publish: ['*'], moderate: ['*'] }
const registry = await createRegistry({
  database: ':memory:',
  auth: { keys: { ada } },
  now: () => Date.UTC(2026, 10, 1, 12),
})
await registry.importDocuments(documents.map((document) => ({ $schema: schemaUrl, ...document })))
const served = await serveRegistry(registry)

/** As somebody who may moderate. */
async function post(path, body, token) {
  const response = await fetch(new URL(`v0.1/${path}`, served.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  return response.json()
}
const timestamp = new Date(Date.UTC(2026, 10, 1, 12)).toISOString()
const proof = { key: 'ada', timestamp, signed_timestamp: moderator.sign(timestamp) }
const { registry_token: token } = await post('auth/key', proof)
const rules = [
  { kind: 'pin', pattern: 'com.example/maps', value: '2.3.0', reason: 'Tested by our team' },
  { kind: 'block', pattern: 'com.spam', reason: 'Spam, reported three times' },
]
for (const rule of rules) await post('x/moderation', { action: 'set', ...rule }, token)
const note = 'Asked the author about the new remote: it is theirs.'
await post('x/moderation', { action: 'note', name: 'io.github.ada/weather', text: note }, token)

const browser = await chromium.launch({
  executablePath: env['PARLEY_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu'],
})

const entry = '?server=io.github.ada%2Fweather'
const looks = [
  { name: 'search', path: '' },
  { name: 'entry', path: entry },
  { name: 'dark', path: entry, dark: true },
  { name: 'narrow', path: '', width: 400, height: 800 },
  { name: 'moderation', path: '?view=moderation', isModerator: true },
]

try {
  await mkdir(folder, { recursive: true })
  for (const look of looks) {
    const { name, path, dark = false, width = 1280, height = 800 } = look
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    await page.goto(new URL(path, served.url).href)
    if (look.isModerator) {
      await page.getByRole('button', { name: 'Sign in' }).click()
      const field = page.getByRole('textbox', { name: 'Token' })
      await field.fill(token)
      await field.press('Enter')
    }
    const last = look.isModerator ? 'looks like' : path === '' ? 'servers' : '"mcpServers"'
    await page.getByText(last).first().waitFor()
    await page.waitForTimeout(300)
    const file = join(folder, `${name}.png`)
    await page.screenshot({ path: file })
    console.log(`${name}: ${await shrinkPng(file)} bytes`)
    await context.close()
  }
} finally {
  await browser.close()
  await served[Symbol.asyncDispose]()
  await registry.close()
}

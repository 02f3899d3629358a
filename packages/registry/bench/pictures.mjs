#!/usr/bin/env node
/** Takes the pictures of `docs/registry.md`: `node packages/registry/bench/pictures.mjs [folder] [name …]`. */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { argv, env } from 'node:process'
import { fileURLToPath } from 'node:url'

import { createRegistry, serveRegistry } from '@parley/registry'
import { schemaUrl } from '@parley/registry/client'
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

const registry = await createRegistry({
  database: ':memory:',
  now: () => Date.UTC(2026, 10, 1, 12),
})
await registry.importDocuments(documents.map((document) => ({ $schema: schemaUrl, ...document })))
const served = await serveRegistry(registry)
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
]

try {
  await mkdir(folder, { recursive: true })
  for (const { name, path, dark = false, width = 1280, height = 800 } of looks) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    await page.goto(new URL(path, served.url).href)
    await page
      .getByText(path === '' ? 'servers' : '"mcpServers"')
      .first()
      .waitFor()
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

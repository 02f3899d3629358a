import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { type RegistryOptions, serveRegistry, type ServeRegistryOptions } from '@parley/registry'
import type { Page } from 'playwright-core'

import { hasChromium, openChromium } from '../../../../test-support/chromium.ts'
import { documentOf, openRegistry, type TestRegistry } from '../registry-under-test.ts'

/** Whether there is a browser, and a page to show in it. */
export const canOpen =
  hasChromium && existsSync(fileURLToPath(new URL('../../dist/page/index.html', import.meta.url)))

/** How a page looks at first. */
export interface Look {
  readonly dark?: boolean
  readonly width?: number
  readonly height?: number
}

/** A registry with a browser before it. */
export interface ServedPage extends AsyncDisposable {
  readonly url: URL
  readonly registry: TestRegistry
  /** A page in a browser profile of its own; `path` begins with `?`. */
  newPage(path?: string, look?: Look): Promise<Page>
  /** What pages complained about: errors of scripts, refusals of the content policy. */
  readonly complaints: string[]
  /** Where pages sent requests to. */
  readonly origins: ReadonlySet<string>
}

/** Serves a registry with these entries, and opens a browser. */
export async function servePage(
  documents: readonly unknown[] = exampleDocuments,
  options: Partial<RegistryOptions> = {},
  serving: ServeRegistryOptions = {},
): Promise<ServedPage> {
  const registry = await openRegistry({ database: ':memory:', ...options })
  await registry.registry.importDocuments(documents)
  const served = await serveRegistry(registry.registry, serving)
  const browser = await openChromium()
  const complaints: string[] = []
  const origins = new Set<string>()
  return {
    url: served.url,
    registry,
    complaints,
    origins,
    async newPage(path = '', look = {}) {
      const { dark = false, width = 1280, height = 800 } = look
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      })
      context.setDefaultTimeout(40_000)
      const page = await context.newPage()
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      page.on('request', (request) => origins.add(new URL(request.url()).origin))
      page.on('dialog', (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      await page.goto(new URL(path, served.url).href)
      return page
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await served[Symbol.asyncDispose]()
      await registry[Symbol.asyncDispose]()
    },
  }
}

const weatherPackage = (version: string) => ({
  registryType: 'npm',
  identifier: '@ada/weather',
  version,
  runtimeHint: 'npx',
  transport: { type: 'stdio' },
  environmentVariables: [
    {
      name: 'WEATHER_KEY',
      description: 'From your account page',
      isRequired: true,
      isSecret: true,
    },
    { name: 'REGION', description: 'Where to look first', choices: ['eu', 'us'], default: 'eu' },
  ],
})

/** Some servers, so that there is something to find. */
export const exampleDocuments: readonly unknown[] = [
  documentOf('io.github.ada/weather', '1.0.0', {
    title: 'Weather',
    description: 'Forecasts and warnings for any place',
    packages: [weatherPackage('1.0.0')],
  }),
  documentOf('io.github.ada/weather', '1.1.0', {
    title: 'Weather',
    description: 'Forecasts, warnings and history for any place',
    websiteUrl: 'https://weather.example.org/docs',
    repository: { url: 'https://github.com/ada/weather', source: 'github' },
    packages: [weatherPackage('1.1.0')],
    remotes: [{ type: 'streamable-http', url: 'https://weather.example.org/mcp' }],
    _meta: {
      'io.modelcontextprotocol.registry/publisher-provided': { tools: ['forecast', 'warnings'] },
    },
  }),
  documentOf('com.example/maps', '2.3.0', {
    title: 'Maps',
    description: 'Routes, places and the distance between them',
    remotes: [{ type: 'sse', url: 'https://maps.example.com/sse' }],
  }),
  documentOf('com.example/tickets', '0.4.0', {
    title: 'Tickets',
    description: 'Reads and files tickets of your tracker',
    packages: [
      {
        registryType: 'oci',
        identifier: 'ghcr.io/example/tickets:0.4.0',
        transport: { type: 'stdio' },
      },
    ],
  }),
  documentOf('org.library/catalogue', '1.0.0', {
    title: 'Library catalogue',
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
  }),
]

import { existsSync, readFileSync } from 'node:fs'

import { createRegistry, serveRegistry } from '@parley/registry'
import { expect, onTestFinished } from 'vitest'

import { testOnPosix } from '../../../../test-support/on-posix.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { until, withChat } from '../chat-page.ts'
import { useOwnNpx } from '../own-npx.ts'
import { run, servers } from '../run.ts'

const name = 'com.example/everything'
const plan = 'npm @example/everything@1.0.0'

async function serveEverythingEntry(): Promise<string> {
  const registry = await createRegistry({ database: ':memory:' })
  const served = await serveRegistry(registry, { page: false })
  onTestFinished(async () => {
    await served[Symbol.asyncDispose]()
    await registry.close()
  })
  await registry.importDocuments([
    {
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name,
      description: 'All features',
      version: '1.0.0',
      packages: [
        {
          registryType: 'npm',
          identifier: '@example/everything',
          version: '1.0.0',
          transport: { type: 'stdio' },
          packageArguments: [{ type: 'named', name: '--city', isRequired: true }],
          environmentVariables: [{ name: 'API_KEY', isRequired: true, isSecret: true }],
        },
      ],
    },
  ])
  return served.url.href
}

testOnPosix(
  'a server of a registry is found, shown, added and there at the next start [REG-09] [HOST-17]',
  async () => {
    useOwnNpx(servers.everything)
    const home = folderWith({})
    const env = {
      HOME: home,
      PARLEY_STATE: folderWith({}),
      PARLEY_REGISTRY: await serveEverythingEntry(),
      MCP_SECRET_KEY: 'a passphrase of a test',
    }
    const options = { cwd: folderWith({}), env }
    const choice = {
      name,
      version: '1.0.0',
      plan,
      answers: { city: 'Neu Ulm', API_KEY: 'hunter2-secret' },
      as: 'all',
    }
    let file = ''

    await withChat([], options, async (page) => {
      expect(await page.ask('state/get', {})).toMatchObject({ canBrowse: true, servers: [] })
      const found = await page.ask('catalogue/search', { text: 'features' })
      expect(found).toMatchObject({ items: [{ name, version: '1.0.0' }] })
      const entry = await page.ask('catalogue/read', { name, version: '1.0.0' })
      expect(entry).toMatchObject({ plans: [{ title: plan, kind: 'command' }] })

      const review = await page.ask('catalogue/review', choice)
      file = String(review['file'])
      expect(file.startsWith(home)).toBe(true)
      const shown = String(review['shown']).split('\n')
      expect(shown).toEqual(
        expect.arrayContaining([
          `server: ${name} 1.0.0 of ${env.PARLEY_REGISTRY.replace(/\/$/, '')}`,
          'comes from: the package @example/everything 1.0.0, which npx gets from the npm registry that it is set to',
          "runs: npx -y @example/everything@1.0.0 --city 'Neu Ulm'",
          "environment: API_KEY='${input:all-API_KEY}'",
          'to do: API_KEY: a secret, kept in the secret store',
          `writes: ${file} (new)`,
          'writes: the secret store (keeps the secrets that you gave)',
        ]),
      )
      expect(shown.join('\n')).toContain('"command": "npx"')
      expect(shown.join('\n')).not.toContain('hunter2')
      expect(existsSync(file)).toBe(false)
      const other = page.ask('catalogue/add', { ...choice, shown: 'something else' })
      await expect(other).rejects.toThrow('changed since it was shown')
      const unanswered = page.ask('catalogue/review', { ...choice, answers: {} })
      await expect(unanswered).rejects.toThrow('city must be answered')
      const missing = page.ask('catalogue/review', { ...choice, plan: 'pypi other' })
      await expect(missing).rejects.toThrow('offers nothing with the name')
      expect(existsSync(file)).toBe(false)

      await page.ask('catalogue/add', { ...choice, shown: String(review['shown']) })
      await until(page, (state) => state.includes('"state":"ready"'))
      const again = page.ask('catalogue/add', { ...choice, shown: String(review['shown']) })
      await expect(again).rejects.toThrow('there is a server named all already')
    })

    const text = readFileSync(file, 'utf8')
    expect(JSON.parse(text)).toMatchObject({ mcpServers: { all: { command: 'npx' } } })
    expect(text).not.toContain('hunter2')
    const why = await run(['why', 'all', '--json'], { ...options, cwd: home })
    expect(JSON.parse(why.stdout)).toMatchObject({ entries: [{ name, version: '1.0.0', file }] })
    await withChat([], options, (page) =>
      until(page, (state) => state.includes('"name":"all"') && state.includes('"state":"ready"')),
    )
  },
  120_000,
)

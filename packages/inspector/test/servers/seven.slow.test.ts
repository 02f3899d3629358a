import { describe, expect, test } from 'vitest'

import { openPage } from '../service/page-client.ts'
import { processesLeft, referenceServers } from './reference-servers.ts'

describe.each(['auto', '2025-11-25'] as const)('the seven reference servers, in %s', (era) => {
  test('are connected all at once, listed, called and disconnected [REFS-01..08]', async () => {
    await using seven = await referenceServers()
    const { servers } = seven
    await using page = await openPage({
      servers: servers.map(({ name, entry, settings }) => ({
        name,
        entry,
        settings: { ...settings, era },
      })),
    })

    const views = await Promise.all(
      servers.map(({ name }) => page.ask('servers/connect', { name })),
    )
    expect(views.map(({ name, state }) => [name, state])).toEqual(
      servers.map(({ name }) => [name, 'ready']),
    )
    expect(processesLeft()).toHaveLength(servers.length)

    await Promise.all(
      servers.map(async ({ name: server, tools, call, answer }) => {
        const [name, args] = call
        const { items } = await page.ask('lists/all', { server, kind: 'tools' })
        const run = await page.ask('runs/start', {
          server,
          run: `${server}-1`,
          method: 'tools/call',
          params: { name, arguments: args },
        })

        const names = items.map((item) => (item as { readonly name: string }).name) // tools have one
        expect(names).toEqual(expect.arrayContaining([...tools]))
        expect(run.error, server).toBeUndefined()
        expect(run.result, server).not.toMatchObject({ isError: true })
        expect(JSON.stringify(run.result)).toContain(answer)
      }),
    )

    const { records } = await page.ask('trace/page', { after: 0, limit: 5000 })
    expect(records.filter(({ kind }) => kind === 'unparsable')).toEqual([]) // they log to stderr

    const off = await Promise.all(
      servers.map(({ name }) => page.ask('servers/disconnect', { name })),
    )
    expect(off.map(({ state }) => state)).toEqual(servers.map(() => 'off'))
    await expect.poll(processesLeft).toEqual([])
  })
})

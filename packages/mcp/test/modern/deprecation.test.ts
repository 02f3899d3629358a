import type { Deprecation, OnDeprecated } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { createTestClient } from '@parley/mcp/testing'
import { describe, expect, test, vi } from 'vitest'

import type * as Deprecations from '../../src/rpc/deprecation.ts'

/** Uses all that is deprecated, by its tools of these names. */
function oldFashioned(onDeprecated?: OnDeprecated): Server {
  const server = createServer({ name: 'old-fashioned', version: '1', onDeprecated })
  server.tool('roots', {}, async (_, context) => `${(await context.listRoots()).length}`)
  server.tool('sampling', {}, async (_, context) => {
    const { model } = await context.sample({ messages: [], maxTokens: 1 })
    return model
  })
  server.tool('logging', {}, (_, context) => context.log('error', 'late'))
  return server
}

type Options = NonNullable<Parameters<typeof createTestClient>[1]>

const host: Options = {
  roots: ['/a'],
  sample: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: '' } }),
  onLog: () => undefined,
}

async function useAll(server: Server, options: Options): Promise<void> {
  await using client = await createTestClient(server, { ...host, ...options })
  await client.setLoggingLevel('debug')
  for (const name of ['roots', 'sampling', 'logging', 'roots']) {
    expect(await client.callTool(name)).not.toHaveProperty('isError', true)
  }
}

describe('what 2026-07-28 deprecates', () => {
  test('is told once for each feature, to servers and to clients [N07-DEP-02]', async () => {
    const server: Deprecation[] = []
    const client: Deprecation[] = []

    await useAll(
      oldFashioned((each) => server.push(each)),
      {
        revision: '2026-07-28',
        onDeprecated: (each) => client.push(each),
      },
    )

    expect(server.map(({ feature }) => feature)).toEqual(['roots', 'sampling', 'logging'])
    expect(client.map(({ feature }) => feature)).toEqual(['roots', 'sampling'])
    expect(server[0]).toEqual({
      feature: 'roots',
      since: '2026-07-28',
      message:
        'Roots are deprecated: take folders as tool arguments or as settings (MCP 2026-07-28, SEP-2577)',
    })
  })

  test('is nothing to tell in a revision that does not deprecate it [N07-DEP-02]', async () => {
    const told: Deprecation[] = []
    const onDeprecated = (each: Deprecation) => told.push(each)

    await useAll(oldFashioned(onDeprecated), { revision: '2025-11-25', onDeprecated })

    expect(told).toEqual([])
  })

  test('is a warning of the process where nobody else is told, once [N07-DEP-02]', async () => {
    const anew = '../../src/rpc/deprecation.ts?anew' // other tests of this process may have been warned
    const { createDeprecations } = (await import(anew)) as typeof Deprecations
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    try {
      const [one, other] = [createDeprecations(undefined), createDeprecations(undefined)]
      for (const notify of [one, other]) {
        notify('sampling')
        notify('logging')
      }

      expect(warn.mock.calls.map(([, options]) => options)).toEqual([
        { type: 'DeprecationWarning', code: 'PARLEY_SAMPLING' },
        { type: 'DeprecationWarning', code: 'PARLEY_LOGGING' },
      ])
    } finally {
      warn.mockRestore()
    }
  })
})

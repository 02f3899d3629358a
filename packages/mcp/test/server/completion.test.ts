import { createServer, type Server } from '@parley/mcp/server'
import { createTestClient, testAuth } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { describeServer } from '../support/matrix.ts'

const cities: Record<string, readonly string[]> = {
  norway: ['Oslo', 'Bergen'],
  france: ['Paris', 'Orléans'],
}
const travel = { type: 'ref/prompt', name: 'travel' } as const

function travelServer(): Server {
  const server = createServer({ name: 'travel', version: '1', onError: () => undefined })
  server.prompt(
    'travel',
    {
      argumentsSchema: z.object({ country: z.string(), city: z.string(), when: z.string() }),
      complete: {
        country: (value) => Object.keys(cities).filter((name) => name.startsWith(value)),
        city: (value, { country = '' }) =>
          (cities[country] ?? []).filter((name) => name.startsWith(value)),
      },
    },
    ({ city }) => `Plan a trip to ${city}`,
  )
  server.resource(
    'city://{country}/{name}',
    { complete: { name: (value, { country = '' }) => [`${country}/${value}`] } },
    ({ name }) => name,
  )
  return server
}

describeServer('completion', ({ connect, rawClient, rawServer, revision }) => {
  test('is declared if anything completes, and else there is no such method [COMP-01, COMP-05]', async () => {
    const mute = createServer({ name: 'mute', version: '1' })
    mute.prompt('hello', {}, () => 'hello')
    const [without, having] = [await rawClient(mute), await rawClient(travelServer())]

    const { error } = await without.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'hello' },
      argument: { name: 'a', value: '' },
    })

    expect(error?.code).toBe(-32601)
    expect(without.serverInfo.result?.['capabilities']).not.toHaveProperty('completions')
    const declared = having.serverInfo.result?.['capabilities'] as Record<string, unknown>
    expect(declared['completions']).toEqual(revision === '2024-11-05' ? undefined : {})
    await without.close()
    await having.close()
  })

  test('is asked for with a reference and an argument [COMP-02, COMP-03]', async () => {
    const server = rawServer()
    const client = await server.accept()

    const completing = client.complete(
      travel,
      { name: 'city', value: 'O' },
      { known: { country: 'norway' } },
    )
    const { params } = await server.answer('completion/complete', {
      completion: { values: ['Oslo'] },
    })

    expect(params).toEqual({
      ref: travel,
      argument: { name: 'city', value: 'O' },
      ...(revision >= '2025-06-18' && { context: { arguments: { country: 'norway' } } }),
    })
    expect(await completing).toEqual({ values: ['Oslo'] })
    await client.close()
  })

  test('knows the arguments that are already filled in [COMP-03, SDKS-03]', async () => {
    await using client = await connect(travelServer())
    const complete = (country: string): Promise<unknown> =>
      client.complete(travel, { name: 'city', value: 'O' }, { known: { country } })

    const suggested = [await complete('norway'), await complete('france')]

    expect(suggested).toEqual(
      revision >= '2025-06-18'
        ? [{ values: ['Oslo'] }, { values: ['Orléans'] }]
        : [{ values: [] }, { values: [] }],
    )
  })

  test('gives at most a hundred values, in the order they were suggested [COMP-04]', async () => {
    const values = Array.from({ length: 500 }, (_, index) => `value ${499 - index}`)
    const server = createServer({ name: 'many', version: '1' })
    server.resource('a://{b}', { complete: { b: () => values } }, () => 'a')
    await using client = await connect(server)

    const completion = await client.complete(
      { type: 'ref/resource', uri: 'a://{b}' },
      { name: 'b', value: '' },
    )

    expect(completion).toEqual({ values: values.slice(0, 100), hasMore: true, total: 500 })
  })

  test('passes on what a completer finds, whatever was typed', async () => {
    const server = createServer({ name: 'fuzzy', version: '1' })
    server.resource('a://{b}', { complete: { b: () => ['Nathaniel'] } }, () => 'a')
    await using client = await connect(server)
    const ref = { type: 'ref/resource', uri: 'a://{b}' } as const

    expect(await client.complete(ref, { name: 'b', value: 'ntnl' })).toEqual({
      values: ['Nathaniel'],
    })
  })

  test('of what does not exist is -32602 [COMP-06, COMP-07, COMP-12, COMP-16]', async () => {
    const client = await rawClient(travelServer())
    const argument = { name: 'city', value: '' }

    const answers = [
      await client.request('completion/complete', { ref: { ...travel, name: 'no' }, argument }),
      await client.request('completion/complete', {
        ref: { type: 'ref/resource', uri: 'no://{no}' },
        argument,
      }),
      await client.request('completion/complete', {
        ref: travel,
        argument: { name: 'no', value: '' },
      }),
      await client.request('completion/complete', { ref: travel }),
      await client.request('completion/complete', { argument }),
      await client.request('completion/complete', { ref: travel, argument: { name: 'city' } }),
      await client.request('completion/complete', { ref: { type: 'ref/tool' }, argument }),
      await client.request('completion/complete', {
        ref: travel,
        argument: { name: 'city', value: 5 },
      }),
      await client.request('completion/complete', {
        ref: travel,
        argument: { name: '__proto__', value: '' },
      }),
    ]

    expect(answers.map(({ error }) => error?.code)).toEqual(answers.map(() => -32602))
    await client.close()
  })

  test('that fails is -32603, without the reason [COMP-08]', async () => {
    const server = createServer({ name: 'failing', version: '1' })
    const b = (): string[] => {
      throw new Error('password=hunter2')
    }
    server.resource('a://{b}', { complete: { b } }, () => 'a')
    const client = await rawClient(server)

    const { error } = await client.request('completion/complete', {
      ref: { type: 'ref/resource', uri: 'a://{b}' },
      argument: { name: 'b', value: '' },
    })

    expect(error?.code).toBe(-32603)
    expect(JSON.stringify(error)).not.toContain('hunter2')
    await client.close()
  })
})

describe('completion', () => {
  test('of an argument without suggestions is empty', async () => {
    await using client = await createTestClient(travelServer())

    expect(await client.complete(travel, { name: 'when', value: '' })).toEqual({ values: [] })
  })

  test('says as much as the completer knows', async () => {
    const server = createServer({ name: 'partial', version: '1' })
    const b = (): object => ({ values: ['one'], hasMore: true, total: 7 })
    server.resource('a://{b}', { complete: { b: b as () => string[] } }, () => 'a')
    await using client = await createTestClient(server)

    expect(
      await client.complete({ type: 'ref/resource', uri: 'a://{b}' }, { name: 'b', value: '' }),
    ).toEqual({ values: ['one'], hasMore: true, total: 7 })
  })

  test('tells nobody about what they may not see or use [COMP-18, COMP-19]', async () => {
    let runs = 0
    const complete = { id: () => [`secret ${(runs += 1)}`] }
    const argumentsSchema = z.object({ id: z.string() })
    const server = createServer({ name: 'secrets', version: '1' })
    server.resource('hidden://{id}', { complete, visible: () => false }, () => '')
    server.resource('scoped://{id}', { complete, scopes: ['secrets'] }, () => '')
    server.prompt('hidden', { argumentsSchema, complete, visible: () => false }, () => '')
    server.prompt('scoped', { argumentsSchema, complete, scopes: ['secrets'] }, () => '')
    await using client = await createTestClient(server, { caller: testAuth() })
    const codeOf = (ref: Parameters<typeof client.complete>[0]): Promise<unknown> =>
      client.complete(ref, { name: 'id', value: '' }).catch((error: { code: string }) => error.code)

    expect(await codeOf({ type: 'ref/resource', uri: 'hidden://{id}' })).toBe('invalid_params')
    expect(await codeOf({ type: 'ref/prompt', name: 'hidden' })).toBe('invalid_params')
    expect(await codeOf({ type: 'ref/resource', uri: 'scoped://{id}' })).toBe('insufficient_scope')
    expect(await codeOf({ type: 'ref/prompt', name: 'scoped' })).toBe('insufficient_scope')
    expect(runs).toBe(0)
  })
})

test.each([
  ['a string', 'Oslo', /completion: an object/],
  ['numbers', [1], /values\.0: a string/],
  ['no list of values', { values: 'Oslo' }, /values: an array/],
])('a completer that suggests %s is a fault of its server', async (_, suggested, why) => {
  const reports: string[] = []
  const onError = (error: unknown): void => void reports.push((error as Error).message)
  const server = createServer({ name: 'travel', version: '1', onError })
  const argumentsSchema = z.object({ city: z.string() })
  const complete = { city: () => suggested as never }
  server.prompt('travel', { argumentsSchema, complete }, ({ city }) => city)
  await using client = await createTestClient(server)

  const asked = client.complete(travel, { name: 'city', value: '' })

  await expect(asked).rejects.toMatchObject({ code: 'internal_error' })
  expect(reports).toEqual([expect.stringContaining('the completer city of travel')])
  expect(reports[0]).toMatch(why)
})

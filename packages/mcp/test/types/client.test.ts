import { type Client, connect, toolOutput } from '@parley/mcp/client'
import { createServer, defineTool, type ToolsOf } from '@parley/mcp/server'
import { createTestClient } from '@parley/mcp/testing'
import { describe, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

/** As written down for a server of somebody else. */
interface WeatherTools {
  forecast: { input: { city: string; days?: number }; output: { celsius: number } }
  now: { input: {}; output: unknown }
}

// Compiled and never run.
describe('a client with a map of tools', () => {
  test('calls what is there, with what it takes', () => {
    const use = async (client: Client<WeatherTools>): Promise<void> => {
      const result = await client.callTool('forecast', { city: 'Oslo' }, { onProgress: () => {} })
      expectTypeOf(result.structuredContent?.celsius).toEqualTypeOf<number | undefined>()
      expectTypeOf(toolOutput(result)).toEqualTypeOf<{ celsius: number }>()
      expectTypeOf(toolOutput(await client.callTool('now'))).toBeUnknown()
      // @ts-expect-error misspelt argument
      await client.callTool('forecast', { town: 'Oslo' })
      // @ts-expect-error missing argument
      await client.callTool('forecast')
      // @ts-expect-error unknown tool
      await client.callTool('forcast', { city: 'Oslo' })
    }
    expectTypeOf(use).toBeFunction()
    expectTypeOf(connect<WeatherTools>).returns.resolves.toEqualTypeOf<Client<WeatherTools>>()
  })
})

describe('a client of a server in this process', () => {
  const add = defineTool(
    'add',
    {
      inputSchema: z.object({ a: z.coerce.number<string>(), b: z.number().default(1) }),
      outputSchema: z.object({ sum: z.number().transform(String) }),
    },
    ({ a, b }) => ({ sum: a + b }),
  )
  const hello = defineTool('hello', {}, () => 'hello')

  test('knows the tools it was made with: their input, and their output', () => {
    const use = async (): Promise<void> => {
      const server = createServer({ name: 'typed', version: '1', features: [add, hello] })
      const client = await connect(server)
      const { structuredContent } = await client.callTool('add', { a: '1' })
      expectTypeOf(structuredContent).toEqualTypeOf<{ sum: string } | undefined>()
      await client.callTool('hello')
      // @ts-expect-error the caller gives the input type of the schema
      await client.callTool('add', { a: 1 })
      // @ts-expect-error unknown tool
      await client.callTool('hallo')
      const tested = await createTestClient(server)
      expectTypeOf(tested.callTool<'add'>).returns.resolves.toHaveProperty('content')
    }
    expectTypeOf(use).toBeFunction()
  })

  test('knows those of a server elsewhere by the type of it, or of its features', () => {
    const use = async (): Promise<void> => {
      const features = [add, hello] as const
      const server = createServer({ name: 'typed', version: '1', features, app: () => ({ a: 1 }) })
      type Tools = ToolsOf<typeof server>
      expectTypeOf<Tools>().toEqualTypeOf<ToolsOf<typeof features>>()
      const client = await connect<Tools>('https://example.com/mcp')
      const { structuredContent } = await client.callTool('add', { a: '1' })
      expectTypeOf(structuredContent).toEqualTypeOf<{ sum: string } | undefined>()
      // @ts-expect-error unknown tool
      await client.callTool('hallo')
      const untyped = createServer({ name: 'untyped', version: '1' })
      expectTypeOf<keyof ToolsOf<typeof untyped>>().toEqualTypeOf<string | number>()
      // @ts-expect-error a name has no tools
      expectTypeOf<ToolsOf<'typed'>>().toBeNever()
    }
    expectTypeOf(use).toBeFunction()
  })

  test('calls anything where nothing is known', () => {
    const use = async (): Promise<void> => {
      const client = await connect(createServer({ name: 'untyped', version: '1' }))
      const result = await client.callTool('anything', { at: 'all' })
      expectTypeOf(result.structuredContent).toBeUnknown()
    }
    expectTypeOf(use).toBeFunction()
  })
})

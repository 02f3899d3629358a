import { connect } from '@parley/mcp/client'
import type { Server } from '@parley/mcp/server'
import { withoutWriting } from '@parley/server-kit/program'
import { expect, test } from 'vitest'

/** One argument of a resource template, what somebody typed, and a value that must be offered. */
export interface ExpectedCompletion {
  readonly uri: string
  readonly argument: string
  readonly typed: string
  /** Arguments that were chosen before. */
  readonly known?: { readonly [name: string]: string } | undefined
  readonly offered: string
}

/** What every reference server promises, with everything switched on: tools that say what they are, and completion. */
export async function describeServer(
  create: () => Server | Promise<Server>,
  completions: readonly ExpectedCompletion[] = [],
): Promise<void> {
  await using listing = await connect(await create())
  const tools = await listing.listTools().toArray()
  const byName = tools.map((tool) => [tool.name, tool] as const)

  test.each(byName)('%s is described for people, models and hosts', (name, tool) => {
    const { title, description, annotations, outputSchema } = tool

    expect(title, 'a name for people').toMatch(/^[A-Z]/)
    expect(title).not.toBe(name)
    expect(description, 'what it does').toMatch(/^[A-Z].{15,}/s)
    expect(annotations, 'every hint that means something').toMatchObject({
      readOnlyHint: expect.any(Boolean),
      openWorldHint: expect.any(Boolean),
      // What only reads destroys nothing, however often.
      ...(annotations?.readOnlyHint !== true && {
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
      }),
    })
    expect(outputSchema, 'what programs get').toMatchObject({ type: 'object' })
  })

  test.each(byName)('%s says what each of its arguments is', (_name, { inputSchema }) => {
    const bare = Object.entries(Object(inputSchema['properties'])).filter(
      ([, schema]) => !(typeof schema === 'object' && schema !== null && 'description' in schema),
    )

    expect(bare.map(([name]) => name)).toEqual([])
  })

  test('what only reads destroys nothing, and is all that is left with --read-only', async () => {
    await using client = await connect(withoutWriting(await create()))
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint)

    const left = await client.listTools().toArray()

    expect(left.map(({ name }) => name)).toEqual(reading.map(({ name }) => name))
    for (const { annotations } of reading) {
      expect(annotations?.destructiveHint ?? false).toBe(false)
      expect(annotations?.idempotentHint ?? true).toBe(true)
    }
  })

  test.each(completions)(
    '$uri completes $argument from $typed',
    async ({ uri, argument, typed, known, offered }) => {
      await using client = await connect(await create())

      const { values } = await client.complete(
        { type: 'ref/resource', uri },
        { name: argument, value: typed },
        { known },
      )

      expect(values).toContain(offered)
    },
  )
}

import { isMcpError } from '@parley/mcp'
import { createServer, definePrompt } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

/** As a program without a compiler writes it. */
type Untyped = Record<'tool' | 'resource' | 'prompt', (...given: unknown[]) => { update: Update }>
type Update = (change: object) => void

function untyped(): Untyped {
  return createServer({ name: 'untyped', version: '1' }) as unknown as Untyped
}

const handler = (): string => 'x'
const schema = z.object({ city: z.string() })

describe('a feature is refused where it is registered', () => {
  test.each<[name: string, kind: keyof Untyped, given: unknown[], why: string]>([
    ['without a handler', 'tool', ['t', {}], 'tool "t": write tool(name, { … }, handler)'],
    ['without options', 'tool', ['t', handler], 'tool "t": write tool(name, { … }, handler)'],
    [
      'with its description as an argument',
      'tool',
      ['t', 'What it does', { city: z.string() }, handler],
      'tool "t": write tool(name, { … }, handler)',
    ],
    [
      'without a name',
      'tool',
      [undefined, {}, handler],
      'tool undefined: write tool(name, { … }, handler)',
    ],
    [
      'with a handler that is none',
      'resource',
      ['a://b', {}, 'text'],
      'resource "a://b": write resource(uri, { … }, handler)',
    ],
    ['with null for options', 'prompt', ['p', null, handler], 'prompt "p": write prompt(name, '],
    [
      'with an option in another case',
      'tool',
      ['t', { inputschema: schema }, handler],
      'tool "t": unknown option inputschema: did you mean inputSchema?',
    ],
    [
      'with a part of an option',
      'tool',
      ['t', { timeout: 5 }, handler],
      'tool "t": unknown option timeout: did you mean timeoutMs?',
    ],
    [
      'with an option that nothing is like',
      'prompt',
      ['p', { a: 1 }, handler],
      'prompt "p": unknown option a; known options: title, description, icons, _meta, visible, scopes, argumentsSchema, complete',
    ],
    [
      'with an option named like a method of every object',
      'tool',
      ['t', { toString: 1 }, handler],
      'tool "t": unknown option toString; known options: title',
    ],
    [
      'with the schema of tools at a prompt',
      'prompt',
      ['p', { inputSchema: schema }, handler],
      'prompt "p": unknown option inputSchema: did you mean argumentsSchema?',
    ],
    [
      'with a time in words',
      'tool',
      ['t', { timeoutMs: '5s' }, handler],
      'tool "t": timeoutMs must be of type number',
    ],
    [
      'with a title that is none',
      'tool',
      ['t', { title: 5 }, handler],
      'tool "t": title must be of type string',
    ],
    [
      'with a description from an empty column',
      'resource',
      ['a://b', { description: null }, handler],
      'resource "a://b": description must be of type string',
    ],
    [
      'with a space in its URI',
      'resource',
      ['notes://my notes', {}, handler],
      'resource "notes://my notes": a URI has a scheme and no spaces (%20), as in notes://1',
    ],
  ])('%s', (_, kind, given, why) => {
    const server = untyped()

    const error = thrownBy(() => server[kind](...given))

    expect(isMcpError(error, 'invalid_definition')).toBe(true)
    expect((error as Error).message).toContain(why)
  })

  test.each(['parameters', 'params', 'paramsSchema', 'args', 'argsSchema', 'schema', 'input'])(
    'with %s for the schema of what comes in',
    (name) => {
      const server = untyped()

      const tool = thrownBy(() => server.tool('t', { [name]: schema }, handler))
      const prompt = thrownBy(() => server.prompt('p', { [name]: schema }, handler))

      expect((tool as Error).message).toContain(': did you mean inputSchema?')
      expect((prompt as Error).message).toContain(': did you mean argumentsSchema?')
    },
  )

  test('also as a value, and when it is changed', () => {
    const misspelt = definePrompt('p', { descripton: 'x' } as object, handler)
    const registered = untyped().tool('t', { title: 'T', description: undefined }, handler)

    const given = { name: 'x', version: '1', features: [misspelt] }
    expect(() => createServer(given)).toThrow('unknown option descripton')
    expect(() => registered.update({ tite: 'U' })).toThrow('unknown option tite')
  })
})

describe('a server is refused', () => {
  test.each<[name: string, given: unknown[], why: string]>([
    ['without options', [], "server undefined: write createServer({ name: 'notes', version: "],
    ['given a name and a version', ['x', '1'], "write createServer({ name: 'notes', version: "],
    ['without a version', [{ name: 'x' }], 'server "x": write createServer({ name'],
    ['with a number for a version', [{ name: 'x', version: 1 }], 'server "x": write createServer('],
    [
      'with an option that there is not',
      [{ name: 'x', version: '1', onerror: () => undefined }],
      'server "x": unknown option onerror: did you mean onError?',
    ],
    [
      'with an option of another type',
      [{ name: 'x', version: '1', instructions: ['Be kind'] }],
      'server "x": instructions must be of type string',
    ],
  ])('%s', (_, given, why) => {
    const create = createServer as unknown as (...given: unknown[]) => void

    const error = thrownBy(() => create(...given))

    expect(isMcpError(error, 'invalid_definition')).toBe(true)
    expect((error as Error).message).toContain(why)
  })
})

function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

describe('a program without a compiler is told the right form', () => {
  test('of createServer with options of their own', () => {
    const create = createServer as unknown as (...given: object[]) => object

    expect(() => create({ name: 'x', version: '1' }, { instructions: 'hello' })).toThrow(
      /^server "x": all options are one object, .*write createServer\(\{ name: /,
    )
  })

  test.each([
    ['registerTool', /server\.tool\(name/],
    ['registerResource', /server\.resource\(uri/],
    ['registerPrompt', /server\.prompt\(name/],
    ['addTool', /server\.tool\(name/],
    ['connect', /serveTransport\(server, transport\)/],
  ])('of %s', (name, told) => {
    const server = createServer({ name: 'x', version: '1' })
    const call = Reflect.get(server, name) as (...given: unknown[]) => unknown

    expect(() => call('t', {}, handler)).toThrow(told)
    expect(Object.keys(server)).not.toContain(name)
  })
})

test('text, image, json and ToolError come from the entry of servers too', async () => {
  const entry = await import('@parley/mcp/server')
  const root = await import('@parley/mcp')

  for (const name of [
    'ToolError',
    'text',
    'image',
    'audio',
    'embed',
    'resourceLink',
    'json',
  ] as const)
    expect(entry[name]).toBe(root[name])
})

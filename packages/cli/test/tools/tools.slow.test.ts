import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { defineTools } from '../../src/tools/define-tools.ts'
import { parseSource } from '../../src/tools/parse-source.ts'
import { run } from '../run.ts'
import { compile } from '../types/compile.ts'

const source = `
/** One day. */
export interface Day {
  /** As ISO has it */
  readonly date: string
  next?: Day
}
type Unit = 'C' | 'F'

/**
 * Tells the weather.
 *
 * @param input what is asked
 */
export async function forecast(
  input: { /** Where */ city: string; unit?: Unit; days: readonly Day[]; limit: number | null },
  context: unknown,
): Promise<{ celsius: number }> {
  return { celsius: input.city.length }
}

export function hello(): string {
  return 'Hello.'
}

function hidden(of: Map<string, string>) {}
`

async function toolsOf(text: string) {
  return defineTools(await parseSource('tools.ts', text))
}

describe('tools from functions [SDKS-02]', () => {
  test('have their doc comments and the schemas of their types', async () => {
    const { tools, refused } = await toolsOf(source)
    const [forecast, hello] = tools

    expect(refused).toEqual([])
    expect(tools).toHaveLength(2)
    expect(forecast).toMatchObject({
      name: 'forecast',
      description: 'Tells the weather.',
      inputSchema: {
        type: 'object',
        required: ['city', 'days', 'limit'],
        additionalProperties: false,
        properties: {
          city: { type: 'string', description: 'Where' },
          unit: { $ref: '#/$defs/Unit' },
          days: { type: 'array', items: { $ref: '#/$defs/Day' } },
          limit: { anyOf: [{ type: 'number' }, { type: 'null' }] },
        },
        $defs: {
          Unit: { enum: ['C', 'F'] },
          Day: {
            description: 'One day.',
            properties: {
              date: { type: 'string', description: 'As ISO has it' },
              next: { $ref: '#/$defs/Day' },
            },
            required: ['date'],
          },
        },
      },
      outputSchema: { properties: { celsius: { type: 'number' } } },
    })
    expect(hello?.inputSchema).toMatchObject({ type: 'object', properties: {} })
    expect(hello).not.toHaveProperty('outputSchema')
  })

  test.each([
    ['f(input: {\n  a: Map<string, string> })', '2:6: f: Map is not a plain type of this file'],
    ['f(input: string)', '1:26: f: the parameter of a tool must be an object'],
    ['f(input: { a: [string] })', '1:31: f: a tuple type has no JSON Schema'],
    ['f(input: { m(): void })', '1:28: f: a method signature in an object has no JSON Schema'],
    ['f<T>(input: T)', '1:8: f: a generic function has no single type'],
    ['f(input)', '1:19: f: its parameter has no type'],
    ['f(): number[]', '1:22: f: a tool must return an object or a string'],
    ["f(input: import('x').Y)", '1:26: f: an import type has no JSON Schema'],
  ])('refuses %s with file and line', async (head, said) => {
    const { tools, refused } = await toolsOf(`export function ${head} {}`)

    expect(tools).toEqual([])
    expect(refused).toEqual([`tools.ts:${said}`])
  })

  test('are written so that the compiler knows them, and checked later', async () => {
    const cwd = folderWith({ 'tools.ts': source })
    const server = `import { createServer } from '@parley/mcp/server'
import { forecast, hello } from './tools.js'
import { tools } from './tools.tools.js'
export const server = createServer({ name: 'a', version: '1' })
server.tool('forecast', tools.forecast, forecast)
server.tool('hello', tools.hello, () => hello())`

    const written = await run(['types', '--tools', 'tools.ts'], { cwd })
    const definitions = readFileSync(join(cwd, 'tools.tools.ts'), 'utf8')
    const checked = await run(['types', '--tools', 'tools.ts', '--check'], { cwd })
    const files = { 'tools.ts': source, 'tools.tools.ts': definitions, 'server.ts': server }
    const faults = await compile(files)
    const wrong = server.replace(
      'tools.forecast, forecast',
      'tools.forecast, (x: { town: string }) => x',
    )
    const others = await compile({ ...files, 'server.ts': wrong })
    writeFileSync(join(cwd, 'tools.ts'), source.replace('city:', 'town:'))
    const changed = await run(['types', '--tools', 'tools.ts', '--check'], { cwd })

    expect(written.code).toBe(0)
    expect(definitions).toMatch(/^\/\/ Written by `parley types --tools`/)
    expect(checked.code).toBe(0)
    expect(faults).toBe('')
    expect(others).toContain('town')
    expect(changed).toMatchObject({ code: 7 })
  })

  test('say what is wrong with a file, and replace none of yours', async () => {
    const cwd = folderWith({ 'tools.ts': source, 'mine.ts': 'mine', 'bad.ts': 'export function (' })

    const mine = await run(['types', '--tools', 'tools.ts', '-o', 'mine.ts'], { cwd })
    const bad = await run(['types', '--tools', 'bad.ts'], { cwd })
    const none = await run(['types', '--tools', 'mine.ts'], { cwd })

    expect([mine.code, bad.code, none.code]).toEqual([1, 1, 1])
    expect(mine.stderr).toContain('--force')
    expect(bad.stderr).toContain('bad.ts:1:')
    expect(none.stderr).toContain('exports no function')
  })
})

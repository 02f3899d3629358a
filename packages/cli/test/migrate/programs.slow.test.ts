import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'

import type { Resource } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { transformSync } from 'oxc-transform'
import { describe, expect, test } from 'vitest'

import { folderBelowRepository } from '../below-repository.ts'
import { compile } from '../types/compile.ts'
import { firstClient, type Program } from './programs.ts'
import * as programs from './programs.ts'

const { firstClient: _client, fastServer, fastFeatures: _fast, ...servers } = programs

describe.each(Object.entries(servers))('%s', (_name, program) => {
  test('offers the same before and after', async () => {
    const [before, after] = await Promise.all([offeredBy(program.before), offeredBy(program.after)])
    expect(after).toEqual(before)
    expect(before.tools.length).toBeGreaterThan(0)
  })
})

test('a server of FastMCP offers what it named', async () => {
  const { tools, resources, prompts } = await offeredBy(fastServer.after)
  expect(tools).toMatchObject([
    { name: 'fetch', description: 'Fetches a page', annotations: { readOnlyHint: true } },
  ])
  expect(resources).toMatchObject([{ uri: 'file:///log', name: 'Log', mimeType: 'text/plain' }])
  expect(prompts).toMatchObject([
    { name: 'commit', arguments: [{ name: 'changes', description: 'The diff', required: true }] },
  ])
})

test('what comes out compiles', async () => {
  const files = Object.entries(programs).map(([name, { after }]) => [`${name}.ts`, after] as const)
  expect(await compile(Object.fromEntries(files))).toBe('')
})

test('a client sees the same before and after', async () => {
  const [before, after] = await Promise.all([
    seenBy(firstClient, 'before'),
    seenBy(firstClient, 'after'),
  ])
  expect(after).toBe(before)
  expect(before).toContain('"add"')
})

function script(text: string): string {
  return transformSync('program.ts', text).code
}

/** What a server lists, in an order of our own. Dialects of schemas, support of tasks that nobody has, and that a tool without arguments takes none may be told or left out. */
async function offeredBy(text: string) {
  const folder = folderBelowRepository()
  const file = join(folder, 'server.mjs')
  writeFileSync(file, script(text))
  const client = await connect({ command: execPath, args: [file] }, { protocolVersion: 'legacy' })
  const { info, instructions, capabilities } = client.server
  const offered = {
    info,
    instructions,
    tools: (await client.listTools().toArray()).map(({ execution: _execution, ...tool }) =>
      plain(tool),
    ),
    resources: capabilities.resources && byUri(await client.listResources().toArray()),
    templates: capabilities.resources && (await client.listResourceTemplates().toArray()),
    prompts: capabilities.prompts && (await client.listPrompts().toArray()),
  }
  await client.close()
  return offered
}

function plain(tool: object): unknown {
  const text = JSON.stringify(tool, (key, value: unknown) =>
    key === '$schema' ? undefined : value,
  )
  return JSON.parse(text.replace('"properties":{},"additionalProperties":false', '"properties":{}'))
}

function byUri(resources: readonly Resource[]): readonly Resource[] {
  return resources.toSorted((a, b) => (a.uri < b.uri ? -1 : 1))
}

async function seenBy(program: Program, side: 'before' | 'after'): Promise<string> {
  const folder = folderBelowRepository()
  const server = join(folder, 'server.mjs')
  const client = join(folder, 'client.mjs')
  writeFileSync(server, script(programs.firstServer.before))
  writeFileSync(
    client,
    script(program[side].replace("'node'", JSON.stringify(execPath)).replace('server.mjs', server)),
  )
  const { seen } = (await import(client)) as { seen: string } // the program exports it
  return seen
}

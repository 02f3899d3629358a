/** What all reference servers promise of their tools, with everything switched on. */

import { mkdirSync } from 'node:fs'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Tool } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import type { Server } from '@parley/mcp/server'
import { createFetchServer } from '@parley/server-fetch'
import { createFilesystemServer, extras as filesystemExtras } from '@parley/server-filesystem'
import { createGitServer, extras as gitExtras } from '@parley/server-git'
import { withoutWriting } from '@parley/server-kit/program'
import { createMemoryServer, extras as memoryExtras } from '@parley/server-memory'
import {
  createSequentialThinkingServer,
  extras as thinkingExtras,
} from '@parley/server-sequential-thinking'
import { createTimeServer, extras as timeExtras } from '@parley/server-time'
import { afterAll, expect, test } from 'vitest'

import { plainRepository } from './git/support.ts'

const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-servers-')))
afterAll(() => rm(folder, { recursive: true, force: true }))
await writeFile(join(folder, 'notes.txt'), 'notes')
mkdirSync(join(folder, 'project'))
const project = plainRepository(join(folder, 'project'))
project.git('init', '-q', '-b', 'main')
project.write('src/main.ts', 'main')
project.commit('first')
project.git('branch', 'feature/one')
project.git('tag', 'v1')
const memory = join(folder, 'memory.jsonl')
const ada = { type: 'entity', name: 'Ada Lovelace', entityType: 'person', observations: [] }
await writeFile(memory, `${JSON.stringify(ada)}\n`)

const servers: Readonly<Record<string, () => Server | Promise<Server>>> = {
  fetch: () => createFetchServer(),
  filesystem: () => createFilesystemServer({ directories: [folder], enable: filesystemExtras }),
  git: () => createGitServer({ repository: project.folder, enable: gitExtras }),
  memory: () => createMemoryServer({ file: memory, enable: memoryExtras }),
  'sequential-thinking': () => createSequentialThinkingServer({ enable: thinkingExtras }),
  time: () => createTimeServer({ enable: timeExtras }),
}

const tools: (readonly [server: string, name: string, tool: Tool])[] = []
for (const [server, create] of Object.entries(servers)) {
  await using client = await connect(await create())
  for await (const tool of client.listTools()) tools.push([server, tool.name, tool])
}

test.each(tools)('%s: %s is described for people, models and hosts', (_server, name, tool) => {
  const { title, description, annotations, outputSchema } = tool

  expect(title, 'a name for people').toMatch(/^[A-Z]/)
  expect(title).not.toBe(name)
  expect(description, 'what it does').toMatch(/^[A-Z].{15,}/s)
  expect(annotations, 'all four hints').toEqual({
    readOnlyHint: expect.any(Boolean),
    destructiveHint: expect.any(Boolean),
    idempotentHint: expect.any(Boolean),
    openWorldHint: expect.any(Boolean),
  })
  expect(outputSchema, 'what programs get').toMatchObject({ type: 'object' })
})

test.each(tools)('%s: %s does not contradict itself', (_server, _name, { annotations }) => {
  if (!annotations?.readOnlyHint) return

  expect(annotations).toMatchObject({ destructiveHint: false, idempotentHint: true })
})

test.each(tools)('%s: %s says what each of its arguments is', (_server, _name, { inputSchema }) => {
  const bare = Object.entries(Object(inputSchema['properties'])).filter(
    ([, schema]) => !(typeof schema === 'object' && schema !== null && 'description' in schema),
  )

  expect(bare.map(([name]) => name)).toEqual([])
})

test.each(Object.entries(servers))(
  '%s: with --read-only, what is left reads',
  async (name, create) => {
    await using client = await connect(withoutWriting(await create()))

    const left = await client.listTools().toArray()

    const reading = tools.filter(
      ([server, , tool]) => server === name && tool.annotations?.readOnlyHint,
    )
    expect(left.map((tool) => tool.name)).toEqual(reading.map(([, tool]) => tool))
  },
)

test.each([
  ['filesystem', 'file://{+path}', 'path', `${folder}/no`, {}, `${folder}/notes.txt`],
  ['git', 'git://{repo}/{rev}/{+path}', 'repo', 'pro', {}, 'project'],
  ['git', 'git://{repo}/{rev}/{+path}', 'rev', 'feat', { repo: 'project' }, 'feature/one'],
  ['git', 'git://{repo}/{rev}/{+path}', 'rev', 'v', { repo: 'project' }, 'v1'],
  [
    'git',
    'git://{repo}/{rev}/{+path}',
    'path',
    'src/',
    { repo: 'project', rev: 'v1' },
    'src/main.ts',
  ],
  ['memory', 'memory://entities/{name}', 'name', 'ada', {}, 'Ada Lovelace'],
  ['time', 'time://now/{+timezone}', 'timezone', 'warsaw', {}, 'Europe/Warsaw'],
] as const)('%s: %s completes %s from %j', async (name, uri, argument, value, known, expected) => {
  await using client = await connect((await servers[name]?.()) ?? expect.fail())

  const { values } = await client.complete(
    { type: 'ref/resource', uri },
    { name: argument, value },
    { known },
  )

  expect(values).toContain(expected)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { startEverything, type HttpServer } from '../http-server.ts'
import { run, servers } from '../run.ts'

let http: HttpServer
beforeAll(async () => {
  http = await startEverything('streamableHttp')
})
afterAll(() => http[Symbol.asyncDispose]())

test('list shows what is offered, kind by kind', async () => {
  const { code, stdout, stderr } = await run(['list', http.url])

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const heading of ['tools (', 'resources (', 'templates (2)', 'prompts (4)']) {
    expect(stdout).toContain(heading)
  }
  expect(stdout).toMatch(/^ {2}echo +Echo Tool {2}/m)
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})

test('list --json gives one kind as the protocol names it', async () => {
  const { code, stdout } = await run(['list', http.url, 'templates', '--json'])

  const parsed = JSON.parse(stdout) as { resourceTemplates: readonly { uriTemplate: string }[] }
  expect(code).toBe(0)
  expect(parsed.resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
    'demo://resource/dynamic/text/{resourceId}',
  )
})

test('info says who the server is and what was agreed', async () => {
  const shown = await run(['info', http.url])
  const { stdout } = await run(['info', http.url, '--json', '--era', '2025-06-18'])

  expect(shown.stdout).toMatch(/^server +Everything Reference Server 2\.0\.0$/m)
  expect(shown.stdout).toMatch(/^revision +20/m)
  expect(JSON.parse(stdout)).toMatchObject({
    revision: '2025-06-18',
    transport: 'http',
    server: { capabilities: { tools: { listChanged: true } } },
    client: { capabilities: { elicitation: {} } },
  })
})

test('read shows a text, and keeps bytes out of the terminal', async () => {
  const text = await run(['read', http.url, 'demo://resource/dynamic/text/1'])
  const blob = await run(['read', http.url, 'demo://resource/dynamic/blob/1'])

  expect(text.stdout).toContain('Resource 1')
  expect(blob.stdout).toMatch(/^\[text\/plain \d+ bytes demo:/)
})

test('prompt prints messages with their roles', async () => {
  const { code, stdout } = await run(['prompt', http.url, 'args-prompt', 'city=Rome'])

  expect(code).toBe(0)
  expect(stdout).toBe("user:\nWhat's weather in Rome?\n")
})

test('complete prints one value a line', async () => {
  const plain = await run(['complete', http.url, 'completable-prompt', 'department', 'E'])
  const known = await run([
    'complete',
    http.url,
    'prompt:completable-prompt',
    'name',
    '',
    '--known',
    'department=Sales',
    '--json',
  ])

  expect(plain.stdout).toBe('Engineering\n')
  expect(JSON.parse(known.stdout)).toMatchObject({
    completion: { values: expect.arrayContaining(['David']) as unknown },
  })
})

test('ping measures', async () => {
  const shown = await run(['ping', http.url, '-c', '2', '-i', '1'])
  const { stdout } = await run(['ping', http.url, '-c', '3', '-i', '1', '--json'])

  expect(shown.stdout).toMatch(/^1: [\d.]+ ms\n2: [\d.]+ ms\nmin [\d.]+ ms, mean/)
  expect(JSON.parse(stdout)).toMatchObject({ count: 3 })
})

test('list --page shows one page, and nothing beyond the last', async () => {
  const server = [...servers.everything, '--page-size', '5']
  const page = async (number: string) => {
    const { stdout } = await run(['list', 'resources', '--page', number, '--json', '--', ...server])
    return (JSON.parse(stdout) as { resources: readonly unknown[] }).resources.length
  }

  expect([await page('1'), await page('2'), await page('3')]).toEqual([5, 2, 0])
})

test('list --tokens estimates what definitions cost', async () => {
  const shown = await run(['list', http.url, 'tools', '--tokens'])
  const { stdout } = await run(['list', http.url, 'tools', '--tokens', '--json'])

  expect(shown.stdout).toMatch(/^tools \(\d+, about \d+ tokens\)$/m)
  expect(
    (JSON.parse(stdout) as { estimatedTokens: { tools: number } }).estimatedTokens.tools,
  ).toBeGreaterThan(100)
})

test('list refuses a kind or name that there is not', async () => {
  const { code, stderr } = await run(['list', http.url, 'toys'])

  expect(code).toBe(1)
  expect(stderr).toContain('the server has no tool, prompt or resource "toys"')
})

test('read writes bytes to a file or a pipe, as they are', async () => {
  const folder = folderWith({})
  const uri = 'demo://resource/static/document/features.md'
  const { stdout: shown } = await run(['read', http.url, uri])

  await run(['read', http.url, uri, '-o', 'copy.md'], { cwd: folder })
  const raw = await run(['read', http.url, uri, '--raw'])

  expect(readFileSync(join(folder, 'copy.md'), 'utf8')).toBe(raw.stdout)
  expect(shown).toBe(`${raw.stdout}\n`)
})

test('a resource that is not there fails with 1, by name', async () => {
  const { code, stderr } = await run([
    'read',
    'demo://nothing',
    '--json',
    '--',
    ...servers.everything,
  ])

  expect(code).toBe(1)
  expect(JSON.parse(stderr)).toMatchObject({
    error: { code: 'error', cause: 'resource_not_found', exit: 1 },
  })
})

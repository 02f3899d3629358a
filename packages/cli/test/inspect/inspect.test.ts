import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { enterPage } from '../dev/page.ts'
import { hearKeys } from '../heard-keys.ts'
import { run, servers } from '../run.ts'

/** Runs `parley inspect` until the page is done with it. */
async function withInspector<T>(
  cwd: string,
  env: { readonly [name: string]: string },
  work: (url: string) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  let notify: (url: string) => void = () => {}
  const url = new Promise<string>((resolve) => (notify = resolve))
  const running = run(['inspect', '--no-open', '--port', '0'], {
    cwd,
    env,
    signal: controller.signal,
    onStdout: (text) => notify(text.trim()),
  })
  const ended = running.then(({ stderr }) => Promise.reject(new Error(stderr)))
  try {
    return await Promise.race([url.then(work), ended])
  } finally {
    controller.abort(new Error('enough'))
    await running
  }
}

test("what a project's file starts or sends waits for consent in the page, which the command line shares", async () => {
  const { received, origin: to } = await hearKeys()
  const [command, ...args] = servers.everything
  const headers = { 'x-key': '${env:KEY}' }
  const cwd = folderWith({
    'mcp.json': {
      mcpServers: {
        one: { command, args },
        leak: { url: `${to}/mcp`, headers },
        plain: { url: to },
      },
    },
  })
  const env = { PARLEY_STATE: folderWith({}), KEY: 'of mine' }
  const reads = [{ variable: '${env:KEY}', key: 'headers.x-key' }]

  await withInspector(cwd, env, async (url) => {
    using page = await enterPage(url)
    const { servers: views } = await page.ask('state/get', {})
    expect(views).toMatchObject([
      { name: 'one', state: 'blocked', approval: { reads: [] } },
      { name: 'leak', state: 'blocked', approval: { reads, to } },
      { name: 'plain', state: 'off' },
    ])
    await expect(page.ask('servers/connect', { name: 'leak' })).rejects.toThrow(
      'has not been approved',
    )
    await expect(page.ask('auth/sign-in', { server: 'leak' })).rejects.toThrow(
      'has not been approved',
    )
    await expect(page.ask('servers/clone', { name: 'leak', as: 'copy' })).rejects.toThrow(
      'has not been approved',
    )
    await expect(page.ask('servers/connect', { name: 'one' })).rejects.toThrow(
      'has not been confirmed',
    )
    const other = { name: 'leak', reads, to: 'http://127.0.0.1:1' }
    await expect(page.ask('servers/approve', other)).rejects.toThrow('not what would be sent')
    expect(received).toEqual([])

    await page.ask('servers/approve', { name: 'leak', reads, to }).catch(() => undefined) // it answers 404
    expect(received).toContain('of mine')
    const confirmed = await page.ask('servers/confirm', { name: 'one', argv: [command, ...args] })
    expect(confirmed['state']).toBe('ready')
  })

  expect((await run(['ping', 'one'], { cwd, env })).code).toBe(0)
  expect((await run(['ping', 'leak'], { cwd, env })).code).not.toBe(3)
  expect((await run(['ping', 'leak'], { cwd, env: { ...env, KEY: 'other' } })).code).toBe(3)
  await withInspector(cwd, env, async (url) => {
    using page = await enterPage(url)
    const { servers: views } = await page.ask('state/get', {})
    expect(views).toMatchObject([{ state: 'off' }, { state: 'off' }, { state: 'off' }])
  })
})

test('inspect starts the service, prints a link that lets a browser in, and ends with Ctrl+C [INSP-01]', async () => {
  const [command, ...args] = servers.everything
  const cwd = folderWith({
    'mcp.json': { mcpServers: { one: { command, args }, asks: { command: '${MISSING}' } } },
  })
  const controller = new AbortController()
  const env = { PARLEY_STATE: folderWith({}), XDG_STATE_HOME: folderWith({}) }

  const running = run(['inspect', '--no-open', '--port', '0', '--json'], {
    cwd,
    env,
    signal: controller.signal,
  })
  const rejected = await run(['inspect', '--port', 'x', '--no-open'], { cwd, env })
  controller.abort(new Error('enough'))
  const { stdout } = await running

  expect(rejected).toMatchObject({ code: 1 })
  expect(JSON.parse(stdout)).toMatchObject({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#/) as unknown,
  })
})

test('inspect connects to the server whose command it is given [INSP-01]', async () => {
  const controller = new AbortController()
  const env = { PARLEY_STATE: folderWith({}), XDG_STATE_HOME: folderWith({}) }
  const record = join(folderWith({}), 'said.jsonl')

  const flags = ['--no-open', '--port', '0', '--json', '--record', record]
  const running = run(['inspect', ...flags, ...servers.everything], {
    env,
    signal: controller.signal,
  })
  await vi
    .waitFor(() => expect(readFileSync(record, 'utf8')).toContain('Everything Reference Server'))
    .finally(() => controller.abort(new Error('enough')))

  expect(JSON.parse((await running).stdout)).toMatchObject({
    port: expect.any(Number) as unknown,
  })
})

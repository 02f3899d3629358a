import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'
import WebSocket from 'ws'

import { foreignCommand, serveEverything } from '../service/everything.ts'
import { enter, openPage, openSocket } from '../service/page-client.ts'

describe('commands', () => {
  test('a page that adds and connects at once starts nothing', async () => {
    const proof = join(tmpdir(), `started-${crypto.randomUUID()}`)
    await using page = await openPage()
    const entry = {
      command: process.execPath,
      args: ['-e', `require('fs').writeFileSync(${JSON.stringify(proof)}, '')`],
    }

    await page.ask('servers/add', { name: 'evil', entry })
    const attempts = await Promise.allSettled([
      page.ask('servers/connect', { name: 'evil' }),
      page.ask('servers/restart', { name: 'evil' }),
      page.ask('servers/confirm', { name: 'evil', argv: [] }),
      page.ask('servers/confirm', { name: 'evil', argv: [process.execPath] }),
      page.ask('auth/sign-in', { server: 'evil' }),
      page.ask('runs/start', { server: 'evil', run: 'x', method: 'ping', params: {} }),
    ])

    expect(attempts.map(({ status }) => status)).toEqual(
      Array.from({ length: 6 }, () => 'rejected'),
    )
    expect(existsSync(proof)).toBe(false)
  })

  test('without spawning no command is taken, confirmed or not', async () => {
    await using page = await openPage({ noSpawn: true })

    const added = page.ask('servers/add', { name: 'evil', entry: foreignCommand })

    await expect(added).rejects.toThrow('no_spawn')
    expect((await page.ask('state/get', {})).may.spawn).toBe(false)
  })

  test('without spawning a command that was saved before is not confirmed either', async () => {
    await using before = await openPage()
    await before.ask('servers/add', { name: 'kept', entry: foreignCommand })
    await before.inspector.close()
    await using page = await openPage({ noSpawn: true, stateDirectory: before.stateDirectory })
    const { command, args } = foreignCommand

    const confirmed = page.ask('servers/confirm', { name: 'kept', argv: [command, ...args] })

    await expect(confirmed).rejects.toThrow('no_spawn')
  })

  test('words of a command are no shell', async () => {
    const proof = join(tmpdir(), `started-${crypto.randomUUID()}`)
    await using page = await openPage()
    const entry = { command: `node; touch ${proof}`, args: ['$(touch x)'] }
    await page.ask('servers/add', { name: 'shell', entry })

    const confirmed = page.ask('servers/confirm', {
      name: 'shell',
      argv: [entry.command, ...entry.args],
    })

    await expect(confirmed).rejects.toThrow('spawn_failed')
    expect(existsSync(proof)).toBe(false)
  })

  test('a state file that somebody else wrote confirms nothing', async () => {
    await using before = await openPage()
    await before.inspector.close()
    const planted = {
      version: 1,
      servers: [{ name: 'planted', entry: foreignCommand, isConfirmed: true, source: 'file' }],
    }
    await writeFile(join(before.stateDirectory, 'inspector.json'), JSON.stringify(planted))
    await using page = await openPage({ stateDirectory: before.stateDirectory })

    await expect(page.ask('servers/connect', { name: 'planted' })).rejects.toThrow('not_confirmed')
  })
})

describe('ways in', () => {
  test('opening the page, with whatever it should select, connects nothing', async () => {
    await using page = await openPage({ servers: [{ name: 'a', entry: foreignCommand }] })
    const { port } = page.inspector
    const base = `http://127.0.0.1:${port}`

    await fetch(`${base}/?server=a&connect=1&tool=write&run=1`)
    await fetch(`${base}/?servers/connect={"name":"a"}`)

    expect((await page.ask('state/get', {})).servers[0]?.state).toBe('off')
  })

  test('a link that was used lets nobody else in', async () => {
    await using page = await openPage()

    await expect(enter(page.inspector.url)).rejects.toThrow('401')
    await expect(enter(page.inspector.createUrl())).resolves.toBeDefined()
  })

  test('cookie and key of another inspector are worth nothing [LOG-22, TRUST-06]', async () => {
    await using one = await openPage()
    await using other = await openPage()
    const { headers } = await enter(one.inspector.createUrl())
    const base = `http://127.0.0.1:${other.inspector.port}`
    const cookie =
      headers['cookie']?.replace(String(one.inspector.port), String(other.inspector.port)) ?? ''

    const answer = await fetch(`${base}/api/ticket`, {
      method: 'POST',
      headers: { ...headers, cookie, origin: base },
      body: '{}',
    })

    expect(answer.status).toBe(401)
  })

  test('another page in the same browser cannot open the channel', async () => {
    await using page = await openPage()
    const { headers, base } = await enter(page.inspector.createUrl())
    const answer = await fetch(new URL('api/ticket', base), { method: 'POST', headers, body: '{}' })
    const { ticket } = (await answer.json()) as { ticket: string }
    const socket = new WebSocket(
      `ws://127.0.0.1:${page.inspector.port}/api/channel`,
      ['parley.inspector.1', `ticket.${ticket}`],
      { headers: { cookie: headers['cookie'] ?? '', origin: 'https://attacker.example' } },
    )

    const error = await new Promise<Error>((resolve) => socket.once('error', resolve))

    expect(error.message).toContain('403')
  })

  test('a program with the token of the file is let in', async () => {
    await using page = await openPage()
    const { token, url } = JSON.parse(await readFile(page.inspector.tokenFile, 'utf8')) as {
      token: string
      url: string
    }
    const { mode } = await stat(page.inspector.tokenFile)
    const socket = new WebSocket(
      `${url.replace('http:', 'ws:')}api/channel`,
      ['parley.inspector.1'],
      {
        headers: { authorization: `Bearer ${token}` },
      },
    )

    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    socket.terminate()

    expect(mode & 0o777).toBe(0o600)
  })

  test('others are not listened to unless both words are said', async () => {
    await expect(openPage({ host: '0.0.0.0' })).rejects.toThrow('--allow-remote')
  })
})

describe('what a page sends', () => {
  test.each([
    ['no/such', {}],
    ['__proto__', {}],
    ['toString', {}],
    ['state/get', { extra: 1 }],
    ['servers/add', { name: 'x', entry: { command: 'x', shell: true } }],
    ['servers/add', { name: 'x', entry: { command: 'x\u0000y' } }],
    ['servers/add', { name: 'x', entry: { url: 'file:///etc/passwd' } }],
    ['servers/add', { name: 'x', entry: { url: 'javascript:alert(1)' } }],
    ['servers/add', { name: '', entry: { url: 'http://x.example' } }],
    ['servers/add', { name: 'x'.repeat(201), entry: { url: 'http://x.example' } }],
    ['servers/add', { name: 'x', entry: { url: 'http://x.example', command: 'x' } }],
    ['servers/connect', { name: 7 }],
    ['runs/start', { server: 'a', run: 'r', method: 'ping', params: [] }],
    ['trace/page', { after: -1, limit: 10 }],
    ['trace/page', { after: 0, limit: 1e9 }],
    ['bench/start', { server: 'a', tool: 't', args: {}, concurrency: 1e6, durationMs: 1 }],
    ['model/save', { url: 'file:///etc/passwd', model: 'm' }],
    ['auth/test', { server: 'a', test: 'everything' }],
    ['questions/answer', { id: 'q', answer: { action: 'accept', content: {}, more: 1 } }],
  ])('%s %j is refused with a problem', async (method, params) => {
    await using page = await openPage({ servers: [{ name: 'a', entry: foreignCommand }] })

    await expect(page.ask(method as 'state/get', params)).rejects.toThrow(
      /invalid_params|unknown_method/,
    )
    expect((await page.ask('state/get', {})).servers).toHaveLength(1)
  })

  test.each(['', 'not json', '[]', '{"id":"x"}', '{"method":"state/get"}', 'null'])(
    'text %j ends its channel and no other',
    async (text) => {
      await using page = await openPage()
      const socket = await openSocket(page.inspector.createUrl())

      const closed = new Promise<number>((resolve) => socket.once('close', resolve))
      socket.send(text)

      expect(await closed).toBe(1007)
      await expect(page.ask('state/get', {})).resolves.toBeDefined()
    },
  )

  test('a message that is too large ends its channel', async () => {
    await using page = await openPage()
    const socket = await openSocket(page.inspector.createUrl())
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))

    socket.send('x'.repeat(5 * 1024 * 1024))

    expect(await closed).toBe(1009)
  })

  test('bytes end their channel', async () => {
    await using page = await openPage()
    const socket = await openSocket(page.inspector.createUrl())
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))

    socket.send(Buffer.from('{"id":1,"method":"state/get"}'))

    expect(await closed).toBe(1003)
  })
})

describe('read-only', () => {
  test('what looks is sent, what may change is not', async () => {
    await using everything = await serveEverything()
    await using page = await openPage({
      readOnly: true,
      servers: [{ name: 'all', entry: everything.entry }],
    })
    await page.ask('servers/connect', { name: 'all' })
    const start = (method: string, params: object) =>
      page.ask('runs/start', { server: 'all', run: method, method, params: { ...params } })

    await expect(start('tools/list', {})).resolves.toHaveProperty('result')
    await expect(
      start('tools/call', { name: 'echo', arguments: { message: 'x' } }),
    ).resolves.toHaveProperty('result')
    await expect(start('tools/call', { name: 'toggle-simulated-logging' })).rejects.toThrow(
      'read_only',
    )
    await expect(start('tools/call', { name: 'no-such-tool' })).rejects.toThrow('read_only')
    await expect(start('anything/else', {})).rejects.toThrow('read_only')
    await expect(
      page.ask('bench/start', {
        server: 'all',
        tool: 'plan-trip',
        args: {},
        concurrency: 1,
        durationMs: 10,
      }),
    ).rejects.toThrow('read_only')
    const message = { id: 1, method: 'tools/call', params: { name: 'plan-trip' } }
    await expect(page.ask('trace/resend', { server: 'all', run: 'x', message })).rejects.toThrow(
      'read_only',
    )
    expect((await page.ask('state/get', {})).may.change).toBe(false)
  })
})

describe('what a server says', () => {
  test('markup in names is passed on as data', async () => {
    await using page = await openPage({ servers: [{ name: '<b>a</b>', entry: foreignCommand }] })
    await page.ask('servers/connect', { name: '<b>a</b>' })

    const { items } = await page.ask('lists/all', { server: '<b>a</b>', kind: 'tools' })

    expect(items.map(({ name }) => name)).toContain('<img src=x onerror=alert(1)>')
  })

  test('no answer of the service is a page', async () => {
    await using page = await openPage()

    const answer = await fetch(
      `http://127.0.0.1:${page.inspector.port}/%3Cscript%3Ealert(1)%3C/script%3E`,
    )

    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(await answer.text()).not.toContain('script')
  })
})

describe('what is kept', () => {
  test('is for our user only', async () => {
    await using page = await openPage()
    await page.ask('preferences/save', { theme: 'dark' })
    await page.ask('servers/add', {
      name: 'x',
      entry: { ...foreignCommand, env: { API_KEY: 'k-12345678' } },
    })
    await page.inspector.close()

    const { mode } = await stat(join(page.stateDirectory, 'inspector.json'))

    expect(mode & 0o777).toBe(0o600)
  })

  test('what the page could not have sent is not taken from the state file either', async () => {
    await using before = await openPage()
    await before.inspector.close()
    const planted = {
      version: 1,
      servers: [
        null,
        { name: 'x', entry: { command: 'x', shell: true } },
        { name: 'good', entry: foreignCommand },
      ],
      rules: [{ id: 'x' }, 7],
      collections: ['x'],
      preferences: [],
      model: { url: 'file:///etc/passwd', model: 'm', hasKey: true },
    }
    await writeFile(join(before.stateDirectory, 'inspector.json'), JSON.stringify(planted))

    await using page = await openPage({ stateDirectory: before.stateDirectory })
    const state = await page.ask('state/get', {})

    expect(state.servers.map(({ name }) => name)).toEqual(['good'])
    expect(state).toMatchObject({ rules: [], collections: [], preferences: {} })
    expect(state.model).toBeUndefined()
  })

  test('a broken state file is put aside, and said to be', async () => {
    await using before = await openPage()
    await before.inspector.close()
    await writeFile(join(before.stateDirectory, 'inspector.json'), '{ broken')

    await using page = await openPage({ stateDirectory: before.stateDirectory })
    const { logs } = await page.ask('state/get', {})

    expect(JSON.stringify(logs)).toContain('could not be read')
    expect(existsSync(join(before.stateDirectory, 'inspector.json.broken'))).toBe(true)
  })
})

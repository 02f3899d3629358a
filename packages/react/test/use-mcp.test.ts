import { PassThrough } from 'node:stream'

import { AuthError } from '@parley/auth'
import type { PageSignIn } from '@parley/auth/client'
import { toolOutput } from '@parley/mcp/client'
import { serveHttp, type ServeHttpOptions } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { type McpConnection, useMcp, type UseMcpOptions } from '@parley/react'
import { render } from 'ink'
import { createElement, StrictMode } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'

async function serve(options: ServeHttpOptions = {}) {
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('note', {}, () => 'noted')
  const service = await serveHttp(server, { port: 0, ownsProcess: false, ...options })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  return { server, service, url: service.url.href }
}

interface Props {
  readonly url: string
  readonly options?: UseMcpOptions
}

/** A component with the hook, drawn by the real React into a terminal that nobody looks at. */
function show(first: Props) {
  const seen: McpConnection[] = []
  const waiting = new Set<() => void>()
  function Probe({ url, options }: Props): null {
    const connection = useMcp(url, options)
    if (seen.at(-1) !== connection) seen.push(connection)
    for (const look of waiting) look()
    return null
  }
  const draw = (props: Props) => createElement(StrictMode, null, createElement(Probe, props))
  const stdout = Object.assign(new PassThrough(), { columns: 80, rows: 24 })
  const { rerender, unmount } = render(draw(first), {
    stdout: stdout as unknown as NodeJS.WriteStream, // all that ink uses of one
    patchConsole: false,
    exitOnCtrlC: false,
  })
  onTestFinished(() => unmount())
  return {
    seen,
    unmount,
    rerender: (props: Props) => rerender(draw(props)),
    /** The first state that fits. */
    until<S extends McpConnection['status']>(
      status: S,
      fits: (connection: Extract<McpConnection, { status: S }>) => boolean = () => true,
    ) {
      return new Promise<Extract<McpConnection, { status: S }>>((resolve) => {
        const look = (): void => {
          const last = seen.at(-1)
          if (last?.status !== status) return
          const found = last as Extract<McpConnection, { status: S }> // its status says so
          if (!fits(found)) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      })
    },
  }
}

test('a component has the client and the tools, and sees them change', async () => {
  const { server, url } = await serve()
  const { until, seen } = show({ url })

  const { client, tools } = await until('ready')
  expect(seen[0]).toMatchObject({ status: 'connecting', tools: [] })
  expect(tools.map(({ name }) => name)).toEqual(['note'])
  expect(toolOutput(await client.callTool('note', {}))).toBe('noted')

  server.tool('more', {}, () => 'more')
  const later = await until('ready', (one) => one.tools.length === 2)
  expect(later.client).toBe(client)
})

test('it closes when the component goes, and when it is shown with another server', async () => {
  const [first, second] = [await serve(), await serve()]
  const { until, rerender, unmount } = show({ url: first.url })
  const before = await until('ready')

  rerender({ url: second.url })
  const after = await until('ready', ({ client }) => client !== before.client)
  await vi.waitFor(() => expect(before.client.status.state).toBe('closed'))
  unmount()
  await vi.waitFor(() => expect(after.client.status.state).toBe('closed'))
})

test('options of a new render do not connect again; `enabled` decides whether to', async () => {
  const { url } = await serve()
  const { until, rerender } = show({ url, options: { enabled: false } })
  expect((await until('idle')).client).toBeUndefined()

  rerender({ url, options: { enabled: true } })
  const { client } = await until('ready')
  rerender({ url, options: { enabled: true, headers: { 'x-new': 'object' } } })

  expect((await until('ready')).client).toBe(client)
})

test('a failure is told, and retried when the user wants', async () => {
  const { url, service } = await serve()
  const { port } = service.url
  await service.drain({ deadlineMs: 0 })
  const { until } = show({ url, options: { timeouts: { connectMs: 2_000 }, reconnect: false } })

  const { error, retry } = await until('failed')
  expect(error).toBeInstanceOf(Error)
  await serve({ port: Number(port) })
  retry()

  expect((await until('ready')).tools).toHaveLength(1)
})

test('somebody who has to sign in gets a link, and what a call lacks is asked for', async () => {
  const { url } = await serve({
    auth: {
      async authenticate() {
        return {
          kind: 'deny',
          status: 401,
          headers: { 'www-authenticate': 'Bearer' },
          message: 'who are you?',
        }
      },
    },
  })
  const lost = new AuthError('grant_lost', 'sign in', { step: 'authorize' })
  const asked: unknown[] = []
  const assigned: string[] = []
  const signIn: PageSignIn = {
    auth: {
      partition: 'test',
      authorize: async () => ({}),
      challenged: () => Promise.reject(lost),
    },
    async begin(server, { scopes } = {}) {
      asked.push({ server, scopes })
      return `https://login.example.com/authorize?scope=${scopes?.join('+') ?? ''}`
    },
    complete: async () => undefined,
    neededBy: (error) =>
      error instanceof AuthError
        ? error
        : error instanceof Error && error.cause === lost
          ? lost
          : undefined,
  }
  vi.stubGlobal('location', { assign: (address: string) => assigned.push(address) })
  onTestFinished(() => void vi.unstubAllGlobals())
  const { until } = show({ url, options: { signIn } })

  const connection = await until('sign-in')
  expect(connection.signInUrl).toBe('https://login.example.com/authorize?scope=')
  await connection.signIn()
  await connection.signIn(
    new AuthError('insufficient_scope', 'more', { step: 'authorize', scopes: ['notes:write'] }),
  )

  expect(assigned).toEqual([
    'https://login.example.com/authorize?scope=',
    'https://login.example.com/authorize?scope=notes:write',
  ])
  expect(asked.at(-1)).toEqual({ server: url, scopes: ['notes:write'] })
})

test('a sign-in that failed is told at the server it was for, and not at others', async () => {
  const [mine, other] = [await serve(), await serve()]
  const declined = new AuthError('access_denied', 'declined', { step: 'callback' })
  const signIn: PageSignIn = {
    auth: { partition: 'test', authorize: async () => ({}), challenged: async () => false },
    begin: async () => '',
    complete: async () => ({ server: mine.url, returnTo: '', error: declined }),
    neededBy: () => undefined,
  }

  const failed = await show({ url: mine.url, options: { signIn } }).until('failed')
  const ready = await show({ url: other.url, options: { signIn } }).until('ready')

  expect(failed.error).toBe(declined)
  expect(ready.tools).toHaveLength(1)
})

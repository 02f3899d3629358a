import { supportedRevisions } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { createServer, type Server } from '@parley/mcp/server'
import { createTestClient, createVirtualClock, testAuth } from '@parley/mcp/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { createSeededRandom } from '../../src/testing/faults.ts'
import { untilIdle } from '../../src/testing/virtual-clock.ts'

const callers = 1_000

/** Handlers that wait here are woken in random order, so that every interleaving may happen. */
function createCrowd(random: () => number) {
  const waiting: (() => void)[] = []
  return {
    pause: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    async wakeAll(): Promise<void> {
      await untilIdle()
      while (waiting.length > 0) {
        const index = Math.floor(random() * waiting.length)
        const last = waiting.pop()
        const woken = waiting[index] ?? last
        if (waiting[index] && last) waiting[index] = last
        woken?.()
        if (random() < 0.002) await untilIdle()
        if (waiting.length === 0) await untilIdle()
      }
    },
  }
}

function createCrowdedServer(pause: () => Promise<void>): Server<{ user: string }> {
  const server = createServer({
    name: 'crowded',
    version: '1',
    app: async ({ auth }) => {
      await pause()
      return { user: auth?.subject ?? '' }
    },
  })
  server.use(async (call, next) => {
    await pause()
    call.context.log('info', `layer ${call.context.app.user}`)
    return next()
  })
  server.tool(
    'work',
    { inputSchema: z.object({ token: z.string() }), visible: ({ app }) => app.user !== '' },
    async ({ token }, { app, auth, client, log, progress, once, meta }) => {
      for (let step = 1; step <= 2; step += 1) {
        log('info', `step ${token}`)
        await progress({ progress: step, message: token })
        await pause()
      }
      const remembered = await once('token', () => token)
      return [token, remembered, app.user, auth?.subject, client.info?.name, meta['a/user']].join()
    },
  )
  server.resource('mine://{id}', {}, async ({ id }, { app, log }) => {
    log('info', `read ${app.user}`)
    await pause()
    return `${id} ${app.user}`
  })
  return server
}

test('a thousand callers at once never see anything of each other', async () => {
  const crowd = createCrowd(createSeededRandom(7))
  const server = createCrowdedServer(crowd.pause)
  const clock = createVirtualClock()
  const strays: unknown[] = []
  let logs = 0
  let steps = 0

  async function visit(index: number): Promise<void> {
    const user = `<user-${index}>`
    const expectOwn = (value: unknown): void => {
      if (!String(value).includes(user)) strays.push([user, value])
    }
    const client = await createTestClient(server, {
      revision: '2025-11-25',
      clock, // stands still: nobody runs out of time, however long the crowd takes
      caller: testAuth({ subject: user }),
      info: { name: user, version: '1' },
      onLog({ data }) {
        logs += 1
        expectOwn(data)
      },
    })
    const work = (call: number): Promise<void> => {
      const token = `${user} call ${call}`
      const options = {
        _meta: { 'a/user': user },
        onProgress({ message }: { readonly message?: string }) {
          steps += 1
          if (message !== token) strays.push([token, message])
        },
      }
      return client.callTool('work', { token }, options).then((result) => {
        const text = [token, token, user, user, user, user].join()
        const answer = JSON.stringify(result)
        if (answer !== JSON.stringify({ content: [{ type: 'text', text }] })) strays.push(answer)
      })
    }
    const reading = client.readResource('mine://1').then(({ contents }) => {
      const [content] = contents
      if (!content || !('text' in content) || content.text !== `1 ${user}`) strays.push(contents)
    })
    await Promise.all([work(1), work(2), reading])
    const frames = JSON.stringify(client.frames.map(({ message }) => message))
    const foreign = frames.match(/<user-\d+>/g)?.filter((found) => found !== user) ?? []
    strays.push(...foreign)
    await client.close()
  }

  let isOver = false
  const visits = Promise.all(Array.from({ length: callers }, (_, index) => visit(index)))
  void visits.finally(() => (isOver = true))
  while (!isOver) await crowd.wakeAll()
  await visits

  expect(strays).toEqual([])
  expect(logs).toBe(callers * (2 * (1 + 2) + 2))
  expect(steps).toBe(callers * 2 * 2)
  expect((server['~definition'] as { listeners: Set<unknown> }).listeners.size).toBe(0)
})

test.each(supportedRevisions)(
  'what a caller does to what it was told is not seen by others, in %s',
  async (protocolVersion) => {
    const server = createServer({
      name: 'shared',
      version: '1',
      icons: [{ src: 'https://example.com/icon.png' }],
      experimental: { own: { is: true } },
    })
    server.tool('hello', {}, () => 'hello')
    await using caller = await connect(server, { protocolVersion })
    await using other = await connect(server, { protocolVersion })
    const told = structuredClone(other.server)

    overwrite(await caller.callTool('hello'))
    overwrite(await caller.listTools().toArray())
    overwrite(caller.server)
    await using later = await connect(server, { protocolVersion })

    expect(other.server).toEqual(told)
    expect(later.server).toEqual(told)
    expect(server.info.name).toBe('shared')
    expect(await later.listTools().toArray()).toMatchObject([{ name: 'hello' }])
    const { _meta: meta = {} } = await later.callTool('hello')
    expect(JSON.stringify(meta)).not.toContain('overwritten')
  },
)

/** All it finds; what is frozen stays. */
function overwrite(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    overwrite(member)
    Reflect.set(value, key, 'overwritten')
  }
}

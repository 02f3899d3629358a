import { expect, test } from 'vitest'

import { hostile } from './programs.ts'
import { open, startTestBridge, textOf } from './running.ts'

test.each(['legacy', 'modern'] as const)(
  'a crash in the middle of a call is answered at once, and the next call works (%s)',
  async (protocolVersion) => {
    await using bridge = await startTestBridge({ from: hostile('good') })
    await using client = await open(bridge, { protocolVersion })
    const before = textOf(await client.callTool('pid'))

    await expect(client.callTool('crash')).rejects.toThrow(
      /exited with code 3.*the next request starts the server again/,
    )

    const after = textOf(await client.callTool('pid'))
    expect(after).toMatch(/^\d+$/)
    expect(after).not.toBe(before)
  },
)

test('a server that ends again and again is not started for ever', async () => {
  await using bridge = await startTestBridge({ from: hostile('good') })
  await using client = await open(bridge, { protocolVersion: 'legacy' })

  const ends = async (): Promise<string> =>
    client.callTool('crash').then(
      () => 'answered',
      (error: Error) => error.message,
    )
  const told: string[] = []
  for (let times = 0; times < 7; times += 1) told.push(await ends())

  expect(told.at(-1)).toMatch(
    /has failed \d+ times within 60 s \(last: .*exited with code 3.*\); try again in \d+ s/,
  )
})

test('garbage before the first message is not taken for messages', async () => {
  await using bridge = await startTestBridge({ from: hostile('garbage') })
  await using client = await open(bridge, { protocolVersion: 'legacy' })

  expect(textOf(await client.callTool('pid'))).toMatch(/^\d+$/)
})

test('an endless line ends at its limit, and harms only its own call', async () => {
  await using bridge = await startTestBridge({ from: hostile('good'), messageBytes: 1_000_000 })
  await using one = await open(bridge, { protocolVersion: 'legacy' })
  await using two = await open(bridge, { protocolVersion: 'legacy' })
  const controller = new AbortController()
  const endless = one.callTool('endless', {}, { signal: controller.signal })
  endless.catch(() => undefined) // it never ends by itself

  const answers = await Promise.all([1, 2, 3].map(() => two.callTool('pid')))
  controller.abort(new Error('enough'))

  expect(answers.map(textOf).every((text) => /^\d+$/.test(text))).toBe(true)
  await expect(endless).rejects.toThrow()
})

test('hostile definitions pass in the same revision, and fail alone where they must be translated', async () => {
  await using bridge = await startTestBridge({ from: hostile('definitions') })
  await using same = await open(bridge, { protocolVersion: '2025-11-25' })
  await using modern = await open(bridge, { protocolVersion: 'modern' })

  const listed = await same.request('tools/list', {})
  expect(listed['unknown']).toEqual({ kept: true })
  expect((listed['tools'] as unknown[]).length).toBe(5)

  await modern.request('tools/list', {}).catch(() => undefined) // however it is answered
  expect(textOf(await modern.callTool('pid'))).toMatch(/^\d+$/)
  expect(({} as { polluted?: unknown }).polluted).toBe(undefined)
})

test('a list that is none is an error for a client that needs it translated', async () => {
  await using bridge = await startTestBridge({ from: hostile('no-list') })
  await using modern = await open(bridge, { protocolVersion: 'modern' })

  await expect(modern.request('tools/list', {})).rejects.toThrow()
  expect(textOf(await modern.callTool('pid'))).toMatch(/^\d+$/)
})

test('a server that lies about what it can do harms only the calls that rely on it', async () => {
  await using bridge = await startTestBridge({ from: hostile('liar') })
  await using client = await open(bridge, { protocolVersion: '2025-11-25' })

  await expect(client.request('resources/list', {})).rejects.toMatchObject({ wireCode: -32601 })
  await expect(client.request('resources/subscribe', { uri: 'note://one' })).rejects.toMatchObject({
    wireCode: -32601,
  })
  expect(await client.ping()).toBeGreaterThanOrEqual(0)
})

test('answers nobody asked for, and second ones, reach nobody', async () => {
  await using bridge = await startTestBridge({ from: hostile('good') })
  await using client = await open(bridge, { protocolVersion: 'legacy' })

  expect(textOf(await client.callTool('twice'))).toBe('one')
  expect(textOf(await client.callTool('stranger'))).toMatch(/^\d+$/)
  expect(textOf(await client.callTool('pid'))).toMatch(/^\d+$/)
})

test('a call that hangs is given up with its client, and others go on', async () => {
  await using bridge = await startTestBridge({ from: hostile('good'), mode: 'shared' })
  const leaving = await open(bridge, { protocolVersion: 'legacy' })
  await using staying = await open(bridge, { protocolVersion: 'legacy' })
  const hanging = leaving.callTool('hang')
  hanging.catch(() => undefined) // it goes with its client

  await leaving.close()

  expect(textOf(await staying.callTool('pid'))).toMatch(/^\d+$/)
})

import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { describeEntries, openEndpoint, ping } from '../../support/http-endpoint.ts'
import { head, openSocket } from '../../support/raw-socket.ts'
import { createSampleServer } from '../../support/sample-server.ts'
import { usedBytes } from './memory-use.ts'

const mebibyte = 1024 * 1024
const bomb = gzipSync(Buffer.alloc(100 * mebibyte, '['), { level: 9 })

test('a hundred packed bodies of 100 MiB each are refused without being unpacked', async () => {
  await using endpoint = await openEndpoint('node', createSampleServer().server)
  const session = await endpoint.open()
  const before = usedBytes()

  const statuses = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      using socket = await openSocket(endpoint.port)
      const coding = ['gzip', 'deflate', 'br', 'gzip, gzip'][index % 4] ?? ''
      socket.write(head({ 'content-length': bomb.length, 'content-encoding': coding }))
      socket.write(bomb)
      return /HTTP\/1\.1 (\d+)/.exec(await socket.until('\r\n\r\n'))?.[1]
    }),
  )

  expect(new Set(statuses)).toEqual(new Set(['415']))
  expect(usedBytes() - before).toBeLessThan(50 * mebibyte)
  expect((await endpoint.post(ping(1), { session })).status).toBe(200)
})

describeEntries('a body as deep as it is long', (entry) => {
  test.each([
    ['in its params', (deep: string) => `"params":${deep}`],
    ['in its id', (deep: string) => `"id":${deep}`],
    ['in a result', (deep: string) => `"id":1,"result":${deep}`],
    [
      'in the arguments of a tool',
      (deep: string) => `"params":{"name":"count","arguments":${deep}}`,
    ],
  ])('%s is refused by 400, round after round', async (_, place) => {
    const { server, calls } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server)
    const session = await endpoint.open()
    const deep = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call",${place(deep)}}`

    for (let round = 0; round < 20; round += 1) {
      expect((await endpoint.post(body, { session })).status).toBe(400)
    }

    expect(calls.count).toBe(0)
    expect((await endpoint.post(ping(1), { session })).status).toBe(200)
  })
})

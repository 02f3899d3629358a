/** Pages made to hold their reader up, against the program as it was built. */

import { execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'

import { connect } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { textOf } from '../../../test-support/text-of.ts'
import { pdfOf, pdfWith } from './pdf.ts'
import { openHost } from './support.ts'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))

function start(...args: readonly string[]) {
  return connect({ command: execPath, args: [main, '--allow-private-ips', ...args] })
}

test('while a page is worked on others are answered, and it ends with the time for it', async () => {
  // Each rule is tried at each letter of the path.
  const rule = `Disallow: /${'*a'.repeat(100)}b\n`
  await using host = await openHost({
    '/robots.txt': { body: `User-agent: *\n${rule.repeat(2_500)}`, type: 'text/plain' },
  })
  await using client = await start('--timeout', '3')
  let isSettled = false
  const slow = client.callTool('fetch', { url: `${host.origin}/${'a'.repeat(14_000)}` })
  void slow.finally(() => (isSettled = true))

  for (let round = 0; round < 20; round += 1) {
    expect(await client.listTools().toArray()).toHaveLength(1)
    await sleep(50)
  }

  expect(host.paths()).toContain('GET /robots.txt')
  expect(isSettled).toBe(false)
  expect(textOf(await slow)).toContain(
    'it takes longer than 3000 ms. Start the server with a longer --timeout to wait for it.',
  )
})

test('a PDF that unpacks to more than memory should hold is refused, with the limit', async () => {
  const bomb = pdfWith(
    deflateSync(Buffer.alloc(150_000_000, ' '), { level: 1 }),
    '/Filter /FlateDecode',
  )
  const plain = Buffer.from('BT /F1 24 Tf 72 700 Td (Packed twice) Tj ET')
  const twice = pdfWith(deflateSync(deflateSync(plain)), '/Filter [/FlateDecode /FlateDecode]')
  const pages = { '/bomb': bomb, '/plain': pdfOf('Not packed'), '/twice': twice }
  const type = 'application/pdf'
  await using host = await openHost(
    Object.fromEntries(Object.entries(pages).map(([path, body]) => [path, { body, type }])),
  )
  await using client = await start('--timeout', '60')

  const refused = await client.callTool('fetch', { url: `${host.origin}/bomb` })
  expect(textOf(refused)).toBe('It unpacks to more than 256 MiB.')
  for (const [path, text] of [
    ['/plain', 'Not packed'],
    ['/twice', 'Packed twice'],
  ]) {
    const read = await client.callTool('fetch', { url: `${host.origin}${path}` })
    expect(textOf(read)).toContain(text)
  }
})

import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { openPage } from './page-client.ts'

test.each([true, false])('the card of a server is shown where it has one: %s', async (card) => {
  const server = createServer({ name: 'clock', version: '1.0.0', description: 'Tells the time' })
  await using service = await serveHttp(server, { port: 0, ownsProcess: false, card })
  await using page = await openPage({ servers: [{ name: 'a', entry: { url: service.url.href } }] })
  await page.ask('servers/connect', { name: 'a' })

  expect(await page.ask('servers/card', { name: 'a' })).toEqual(
    card
      ? {
          card: {
            url: `${service.url.href}/server-card`,
            name: '127.0.0.1/clock',
            version: '1.0.0',
            description: 'Tells the time',
            isOfServer: true,
          },
        }
      : {},
  )
})

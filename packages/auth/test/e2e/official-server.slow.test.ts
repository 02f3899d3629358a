import { browserAuth, createMemoryTokenStore } from '@parley/auth/client'
import { connect } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { serveOfficialIssuer, serveOfficialV1, serveOfficialV2 } from './official-servers.ts'
import { describeInChromium } from './person-in-chromium.ts'

describeInChromium('a person with our client, at a server on the official SDK', (createPerson) => {
  test.each([
    ['version 1, with our authorization server', serveOfficialV1, 3],
    ['version 2, with our authorization server', serveOfficialV2, 3],
    ['version 1, with its own authorization server', serveOfficialIssuer, 0],
  ] as const)('signs in, calls, and allows more (%s)', async (_, serve, pages) => {
    const url = await serve()
    const ada = await createPerson('ada')
    const auth = browserAuth({
      store: createMemoryTokenStore(),
      scopes: [],
      open: (page) => ada.open(page),
    })

    const rejected = await fetch(url, { method: 'POST' })
    await using client = await connect(url, { auth })
    const read = await client.callTool('read')
    const written = await client.callTool('write')

    expect(rejected.status).toBe(401)
    expect(read.content).toMatchObject([{ text: 'read' }])
    expect(written.content).toMatchObject([{ text: 'written' }])
    expect(ada.read).toHaveLength(pages)
    expect(ada.visited).toHaveLength(2)
  })
})

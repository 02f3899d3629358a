import { expect, test } from 'vitest'

import { describeMatrix, everyChannel } from '../support/matrix.ts'
import { createSampleServer } from '../support/sample-server.ts'

describeMatrix(
  'what a client says about itself',
  ({ rawClient, revision }) => {
    test('is refused when it is longer than limits.clientBytes', async () => {
      const client = await rawClient(createSampleServer().server, {
        silent: true,
        limits: { clientBytes: 500 },
      })
      const clientInfo = { name: 'long', version: '1.0.0', title: 'x'.repeat(600) }
      const params = { protocolVersion: revision, capabilities: {}, clientInfo }

      const { error } = await client.request('initialize', params)

      expect(error?.data).toMatchObject({ limit: 'clientBytes', allowed: 500 })
      expect(error?.message).toContain('limits.clientBytes allows 500')
      await client.close()
    })
  },
  { channels: everyChannel, revisions: ['2025-11-25'] },
)

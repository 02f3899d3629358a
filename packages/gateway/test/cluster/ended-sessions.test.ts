import { connect } from '@parley/mcp/client'
import { expect, test, vi } from 'vitest'

import { hostile } from '../programs.ts'
import { startTwo } from './two-processes.ts'

interface Status {
  readonly servers: { readonly [name: string]: { readonly connections: number } }
}

test('when a client ends its session, the session with the server ends at whichever process has it', async () => {
  await using two = await startTwo({ servers: { own: hostile('good') }, naming: 'manual' })
  const connections = (): number =>
    two.gateways.reduce((sum, gateway) => {
      const { servers } = gateway.status() as unknown as Status // as it is documented
      return sum + (servers['own']?.connections ?? 0)
    }, 0)
  const client = await connect(two.url, { protocolVersion: 'legacy' })
  for (let call = 0; call < 4; call += 1) await client.callTool('echo')
  const before = connections()

  await client.close()

  expect(before).toBeGreaterThan(0)
  await vi.waitFor(() => expect(connections()).toBe(before - 1))
})

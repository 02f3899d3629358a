import { propagation } from '@opentelemetry/api'
import { createServer } from '@parley/mcp/server'
import { createTestClient } from '@parley/mcp/testing'
import { expect, onTestFinished, test, vi } from 'vitest'

import { record } from './recorder.ts'

test('spans without a propagator are two traces, and one warning says what to register', async () => {
  const { observer } = record()
  propagation.disable()
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  onTestFinished(() => warn.mockRestore())
  const server = createServer({ name: 'notes', version: '1.0.0', observer })
  server.tool('look', {}, () => 'looked')
  await using client = await createTestClient(server, { observer })

  await client.callTool('look')
  await client.callTool('look')

  expect(warn).toHaveBeenCalledOnce()
  expect(warn).toHaveBeenCalledWith(
    expect.stringContaining('setGlobalPropagator'),
    'TelemetryWarning',
  )
})

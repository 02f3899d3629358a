import { createRemoteCaller } from '@parley/mcp/internal/relay'
import { expect, test } from 'vitest'

function remoteCaller(limits?: { readonly inputMs: number; readonly rounds: number }) {
  const channel = { notify: () => undefined, request: async () => ({}), onError: () => undefined }
  const request = { revision: '2025-06-18', client: { capabilities: {} } }
  return createRemoteCaller(request, { ...channel, limits })
}

test('a forwarded call has the limits of the service that works for it', () => {
  const limits = { inputMs: 1_234, rounds: 2 }

  expect(remoteCaller(limits)?.limits).toMatchObject(limits)
  expect(remoteCaller()?.limits).toMatchObject({ inputMs: 600_000, rounds: 16 })
})

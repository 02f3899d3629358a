import { expect, test, vi } from 'vitest'

import { loadProvider } from '../../src/server/load-provider.ts'

test('the provider is loaded without a word about the version of Node', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)

  const { Provider } = await loadProvider()

  expect(Provider).toBeTypeOf('function')
  expect(warn).not.toHaveBeenCalled()
  expect(console.warn).toBe(warn)
  warn.mockRestore()
})

import { expect, onTestFinished, test, vi } from 'vitest'

import { loadProvider } from '../../src/server/provider/load-provider.ts'

test('the provider is loaded without a word about the version of Node', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)

  const { Provider } = await loadProvider()

  expect(Provider).toBeTypeOf('function')
  expect(warn).not.toHaveBeenCalled()
  expect(console.warn).toBe(warn)
  warn.mockRestore()
})

test('a Node that is too old is told so', async () => {
  const parse = Object.getOwnPropertyDescriptor(URL, 'parse') ?? {}
  Reflect.deleteProperty(URL, 'parse')
  onTestFinished(() => void Object.defineProperty(URL, 'parse', parse))

  await expect(loadProvider()).rejects.toMatchObject({ name: 'AuthError', code: 'unreachable' })
})

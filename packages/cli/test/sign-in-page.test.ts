import { expect, test } from 'vitest'

import { showSignInPage } from '../src/sign-in/sign-in-page.ts'

test('a page whose host may imitate another is printed with a warning, not opened', async () => {
  const written: string[] = []
  const stderr = { write: (text: string | Uint8Array) => written.push(String(text)) }

  await showSignInPage(new URL('https://b\u0430nk.example/authorize?a=1'), { stderr }, true)

  expect(written.join('')).toMatch(/^warning: The host xn--bnk-6cd\.example is written in Punycode/)
  expect(written.join('')).toContain('  https://xn--bnk-6cd.example/authorize?a=1\n')
})

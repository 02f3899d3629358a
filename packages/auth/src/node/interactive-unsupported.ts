import { createMemoryTokenStore, type TokenStore } from '../client/grants/token-store.ts'
import type { Platform } from '../client/sign-in/interactive.ts'
import { AuthError } from '../shared/auth-error.ts'

/** Stands in where no listener can be opened, such as a browser. */
export const platform: Platform = {
  openReceiver: () => Promise.reject(unsupported()),
  showUrl: () => Promise.reject(unsupported()),
}

/** Memory: nothing else is safe to assume. */
export async function openDefaultStore(): Promise<TokenStore> {
  return createMemoryTokenStore()
}

function unsupported(): AuthError {
  return new AuthError('sign_in_cancelled', 'interactive() cannot open a browser on this runtime', {
    step: 'authorize',
    hint: 'Pass open, receive and redirectUri, or use begin() and complete().',
  })
}

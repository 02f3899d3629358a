import type * as OidcProvider from 'oidc-provider'

import { AuthError } from '../../shared/auth-error.ts'

/** The provider's warning on Node 20, where it works nevertheless: our tests run there. */
const runtimeWarning = 'Unsupported runtime'

let loading: Promise<typeof OidcProvider> | undefined

/** Loads the optional package `oidc-provider`, without its words about Node 20. */
export async function loadProvider(): Promise<typeof OidcProvider> {
  if (!('parse' in URL)) {
    throw new AuthError('unreachable', 'the authorization server needs a newer Node', {
      step: 'issuer',
      hint: 'Node 20.20, or 22 and later: oidc-provider uses URL.parse.',
    })
  }
  loading ??= load()
  return loading
}

async function load(): Promise<typeof OidcProvider> {
  const { warn } = console
  console.warn = (...values: unknown[]) => {
    if (!String(values[0]).includes(runtimeWarning)) warn.apply(console, values)
  }
  try {
    return await import('oidc-provider')
  } catch (error) {
    throw new AuthError('unreachable', 'the authorization server needs the package oidc-provider', {
      step: 'issuer',
      hint: 'npm install oidc-provider',
      cause: error,
    })
  } finally {
    console.warn = warn
  }
}

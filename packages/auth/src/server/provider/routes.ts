/** Paths below the issuer. The first three are those that clients of 2025-03-26 assume. */
export const routes = {
  authorization: '/authorize',
  token: '/token',
  registration: '/register',
  jwks: '/jwks',
  introspection: '/introspect',
  revocation: '/revoke',
  end_session: '/sign-out',
} as const

/** Where people sign in and agree. */
export const signInPath = '/sign-in'

/** Where a provider sends people back to, followed by its id. */
export const thirdPartyCallbackPath = '/sign-in-callback'

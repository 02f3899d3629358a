import type { Configuration } from 'oidc-provider'

import type { Settings } from '../settings.ts'

/** The cookies of browsers that sign in here. */
export function describeCookies(
  { issuerUrl, basePath }: Settings,
  secret: string,
): NonNullable<Configuration['cookies']> {
  const isSecure = issuerUrl.protocol === 'https:'
  const options = { httpOnly: true, sameSite: 'lax', signed: true, secure: isSecure } as const
  const tail = basePath === '' ? '' : `-${Buffer.from(basePath).toString('base64url')}`
  return {
    keys: [secret],
    long: options,
    short: options,
    names: {
      // The other two have paths of their own, which `__Host-` does not allow.
      session: `${isSecure ? '__Host-' : ''}parley-session${tail}`,
      interaction: `${isSecure ? '__Secure-' : ''}parley-sign-in${tail}`,
      resume: `${isSecure ? '__Secure-' : ''}parley-resume${tail}`,
    },
  }
}

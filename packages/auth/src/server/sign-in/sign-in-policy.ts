import type { Configuration, KoaContextWithOIDC, interactionPolicy } from 'oidc-provider'

import { signInPath } from '../provider/routes.ts'
import type { Settings } from '../settings.ts'

/** When people are asked to sign in or to agree: as the provider has it, and if a session is of somebody who is gone. */
export function describeInteractions(
  { base, Check }: typeof interactionPolicy,
  { basePath }: Settings,
): NonNullable<Configuration['interactions']> {
  const policy = base()
  const check = new Check(
    'account_gone',
    'End-User authentication is required',
    'login_required',
    isGone,
  )
  policy.get('login')?.checks.add(check)
  return {
    policy,
    url: (_context, { uid }) => `${basePath}${signInPath}/${uid}`,
  }
}

function isGone({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.session?.accountId !== undefined && oidc.account === undefined
}

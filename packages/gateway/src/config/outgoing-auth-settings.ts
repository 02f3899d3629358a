import type { SettingsPath } from '@parley/foundation/settings'

import type { OutgoingAuth } from '../identity/outgoing-auth.ts'
import type { ConfigFaults } from './config-faults.ts'
import { outgoingAuthSettings } from './server-declaration.ts'

/** How callers are authenticated, as far as it decides how the gateway can act for them. */
export interface IncomingAuth {
  readonly kind: 'nobody' | 'keys' | 'jwt' | 'certificates'
  /** The audiences of callers' tokens. */
  readonly audiences: readonly string[]
  readonly isStdio: boolean
}

/** The result of an entry's `auth`: credentials, or constant headers. */
export interface OutgoingSettings {
  readonly auth?: OutgoingAuth | undefined
  readonly headers?: { readonly [name: string]: string } | undefined
}

/** Reads `auth: { type: … }` of a server; its variables have values already. */
export function readOutgoingAuth(
  value: unknown,
  path: SettingsPath,
  { url, incoming }: { readonly url: string | undefined; readonly incoming: IncomingAuth },
  faults: ConfigFaults,
): OutgoingSettings {
  if (url === undefined) {
    const fix = 'Pass what it needs by env, or give it a url.'
    faults.fault(path, 'is for servers with a url', fix)
    return {}
  }
  const auth = faults.read(outgoingAuthSettings, value, path)
  if (auth === undefined) return {}
  if (auth.type === 'static') {
    const { bearer, header = '', value: text = '' } = auth
    return {
      headers: bearer === undefined ? { [header]: text } : { Authorization: `Bearer ${bearer}` },
    }
  }
  requireCallers(auth.type, incoming, path, faults)
  if (auth.type === 'pass-through') requireAudience(auth.resource ?? url, incoming, path, faults)
  return { auth }
}

/** A gateway that acts for its callers has to know them. */
function requireCallers(
  type: OutgoingAuth['type'],
  { kind, isStdio }: IncomingAuth,
  path: SettingsPath,
  faults: ConfigFaults,
): void {
  if (type === 'client-credentials') return
  if (isStdio) {
    const fix = 'Use type: client-credentials or static, or listen: { http: … } with auth.'
    faults.fault(path, `with type ${type} needs callers who sign in, and stdio has none`, fix)
    return
  }
  const isEnough = type === 'user' ? kind === 'jwt' || kind === 'keys' : kind === 'jwt'
  if (isEnough) return
  const what = type === 'user' ? 'auth: { jwt: … } or auth: { keys: … }' : 'auth: { jwt: … }'
  const why =
    kind === 'nobody'
      ? 'acts for the caller, and the gateway does not ask who that is'
      : type === 'user'
        ? 'lets callers sign in, and those with certificates cannot be known in a browser'
        : 'acts for the caller by the token of the caller, and callers have none'
  faults.fault(path, `with type ${type} ${why}`, `Add ${what} to the file.`)
}

/** A token that was issued for the gateway alone must not be seen by others. */
function requireAudience(
  resource: string,
  { kind, audiences }: IncomingAuth,
  path: SettingsPath,
  faults: ConfigFaults,
): void {
  if (kind !== 'jwt' || audiences.includes(resource)) return
  const message = `passes the caller's token on to ${resource}, and tokens here are for ${audiences.join(', ')}`
  const fix = `Use type: token-exchange, or, if one token is meant for both, auth: { jwt: { extraAudiences: ["${resource}"] } }.`
  faults.fault(path, message, fix)
}

import { resolve } from 'node:path'

import type { HttpGuard } from '@parley/mcp/http'
import { errorMessage } from '@parley/mcp/json'

import type { ProofClient } from '../identity/browser-proof.ts'
import { openApiKeyFile, type ApiKeyFile } from '../keys/api-key-file.ts'
import type { ConfigFaults } from './config-faults.ts'
import type { SectionValue } from './gateway-file.ts'
import type { ListenSettings } from './listen-settings.ts'
import type { IncomingAuth } from './outgoing-auth-settings.ts'

/** The parts of `auth` and `listen` that decide how the gateway may act for callers. */
export function incomingAuth(
  auth: SectionValue<'auth'> | undefined,
  listen: ListenSettings,
): IncomingAuth {
  const { audience = listen.url, extraAudiences = [] } = auth?.jwt ?? {}
  const kind = auth?.jwt
    ? 'jwt'
    : auth?.keys !== undefined
      ? 'keys'
      : listen.tls?.clientCa === undefined
        ? 'nobody'
        : 'certificates'
  const audiences = [audience, ...extraAudiences].filter((each) => each !== undefined)
  return { kind, isStdio: listen.to === 'stdio', audiences }
}

/** The gateway's own id at the issuer of its callers. */
export function signInClientOf(auth: SectionValue<'auth'> | undefined): ProofClient | undefined {
  const { clientId, clientSecret } = auth?.jwt ?? {}
  return clientId === undefined
    ? undefined
    : { clientId, ...(clientSecret !== undefined && { clientSecret }) }
}

/** How callers are let in, and the file of keys where they are let in by one. */
export interface OpenedAuth {
  readonly guard: HttpGuard
  readonly keys?: ApiKeyFile | undefined
}

/** Opens the guard that `auth` describes. */
export async function openAuth(
  auth: SectionValue<'auth'> | undefined,
  { folder, url }: { readonly folder: string; readonly url: string | undefined },
  faults: ConfigFaults,
): Promise<OpenedAuth | undefined> {
  const { keys, jwt } = auth ?? {}
  if (keys !== undefined) {
    try {
      const file = openApiKeyFile({ path: resolve(folder, keys.replace(/^file:/, '')) })
      return { guard: file.guard(), keys: file }
    } catch (error) {
      faults.fault(['auth', 'keys'], errorMessage(error), 'Correct the file, or name another one.')
      return undefined
    }
  }
  if (jwt === undefined) return undefined
  if (url === undefined) {
    const fix = 'Add listen: { url: "https://gw.example/mcp" }.'
    faults.fault(['auth', 'jwt'], 'needs listen.url: tokens are issued for the public address', fix)
    return undefined
  }
  const { issuer, audience, extraAudiences, scopes } = jwt
  const { oauthGuard } = await import('@parley/auth/resource')
  try {
    return { guard: oauthGuard({ issuer, audience, extraAudiences, scopes }) }
  } catch (error) {
    faults.fault(['auth', 'jwt'], errorMessage(error), 'Correct it.')
    return undefined
  }
}

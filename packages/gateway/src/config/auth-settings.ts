import { resolve } from 'node:path'

import { memberOf, type ConfigNode } from '@parley/foundation/config'
import type { HttpGuard } from '@parley/mcp/http'
import { isJsonObject, errorMessage } from '@parley/mcp/json'

import type { ProofClient } from '../identity/browser-proof.ts'
import { openApiKeyFile, type ApiKeyFile } from '../keys/api-key-file.ts'
import type { ConfigReader } from './config-reader.ts'
import type { ListenSettings } from './listen-settings.ts'
import type { IncomingAuth } from './outgoing-auth-settings.ts'

/** What of `auth` matters for how callers go on to servers. */
export function readIncoming(node: ConfigNode | undefined, listen: ListenSettings): IncomingAuth {
  const jwt = memberOf(node, 'jwt')?.node
  const { audience = listen.url, extraAudiences = [] } = isJsonObject(jwt?.value) ? jwt.value : {}
  const kind = jwt
    ? 'jwt'
    : memberOf(node, 'keys')
      ? 'keys'
      : listen.tls?.clientCa === undefined
        ? 'nobody'
        : 'certificates'
  const audiences = [audience, ...(Array.isArray(extraAudiences) ? extraAudiences : [])]
  return {
    kind,
    isStdio: listen.to === 'stdio',
    audiences: audiences.filter((each) => typeof each === 'string'),
  }
}

/** Who the gateway is at the issuer of its callers: `auth.jwt.clientId` and `clientSecret`. */
export function readSignInClient(
  reader: ConfigReader,
  node: ConfigNode | undefined,
): ProofClient | undefined {
  const jwt = memberOf(node, 'jwt')?.node
  const clientId = reader.text(jwt, 'clientId', 'auth.jwt.clientId')
  const clientSecret = reader.text(jwt, 'clientSecret', 'auth.jwt.clientSecret')
  return clientId === undefined
    ? undefined
    : { clientId, ...(clientSecret !== undefined && { clientSecret }) }
}

/** Who is let in, and the file of keys where they are let in by one. */
export interface ReadAuth {
  readonly guard: HttpGuard
  readonly keys?: ApiKeyFile | undefined
}

/** Who is let in: `auth: { keys: keys.json }` or `auth: { jwt: { issuer: … } }`. */
export async function readAuth(
  reader: ConfigReader,
  node: ConfigNode | undefined,
  { folder, url }: { readonly folder: string; readonly url: string | undefined },
): Promise<ReadAuth | undefined> {
  if (node === undefined) return undefined
  const fields = reader.object(node, 'auth', ['keys', 'jwt'])
  const keys = reader.text(fields, 'keys', 'auth.keys')
  const jwt = memberOf(fields, 'jwt')?.node
  if (fields && (keys === undefined) === (jwt === undefined)) {
    const fix = 'Write auth: { keys: keys.json } or auth: { jwt: { issuer: "https://…" } }.'
    reader.fault(node, 'auth', 'needs one of keys and jwt', fix)
    return undefined
  }
  if (keys !== undefined)
    return keysGuard(reader, fields ?? node, resolve(folder, keys.replace(/^file:/, '')))
  const guard = jwt && (await jwtGuard(reader, jwt, url))
  return guard && { guard }
}

function keysGuard(reader: ConfigReader, node: ConfigNode, path: string): ReadAuth | undefined {
  try {
    const keys = openApiKeyFile({ path })
    return { guard: keys.guard(), keys }
  } catch (error) {
    const at = memberOf(node, 'keys')?.node ?? node
    reader.fault(at, 'auth.keys', errorMessage(error), 'Mend the file, or name another one.')
    return undefined
  }
}

async function jwtGuard(
  reader: ConfigReader,
  node: ConfigNode,
  url: string | undefined,
): Promise<HttpGuard | undefined> {
  const fields = reader.object(node, 'auth.jwt', [
    'issuer',
    'audience',
    'extraAudiences',
    'scopes',
    'clientId',
    'clientSecret',
  ])
  const issuer = reader.text(fields, 'issuer', 'auth.jwt.issuer')
  if (fields === undefined) return undefined
  if (issuer === undefined || url === undefined) {
    const [key, what, fix] =
      issuer === undefined
        ? (['auth.jwt', 'has no issuer', 'Add issuer: "https://id.example".'] as const)
        : ([
            'listen.url',
            'is missing: tokens are issued for the public address',
            'Add listen: { url: "https://gw.example/mcp" }.',
          ] as const)
    reader.fault(node, key, what, fix)
    return undefined
  }
  const audience = reader.text(fields, 'audience', 'auth.jwt.audience')
  const scopes = reader.texts(fields, 'scopes', 'auth.jwt.scopes')
  const extraAudiences = reader.texts(fields, 'extraAudiences', 'auth.jwt.extraAudiences')
  const { oauthGuard } = await import('@parley/auth/resource')
  try {
    return oauthGuard({ issuer, audience, extraAudiences, scopes })
  } catch (error) {
    reader.fault(node, 'auth.jwt', errorMessage(error), 'Correct it.')
    return undefined
  }
}

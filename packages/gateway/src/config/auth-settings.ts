import { resolve } from 'node:path'

import { protect } from '@parley/auth/resource'
import { memberOf, type ConfigNode } from '@parley/foundation/config'
import type { Guard } from '@parley/mcp/http'

import { messageOf } from '../checks/json.ts'
import { openApiKeyFile } from '../keys/api-key-file.ts'
import type { ConfigReader } from './config-reader.ts'

/** Who is let in: `auth: { keys: keys.json }` or `auth: { jwt: { issuer: … } }`. */
export function readAuth(
  reader: ConfigReader,
  node: ConfigNode | undefined,
  { folder, url }: { readonly folder: string; readonly url: string | undefined },
): Guard | undefined {
  if (node === undefined) return undefined
  const given = reader.object(node, 'auth', ['keys', 'jwt'])
  const keys = reader.text(given, 'keys', 'auth.keys')
  const jwt = memberOf(given, 'jwt')?.node
  if (given && (keys === undefined) === (jwt === undefined)) {
    const fix = 'Write auth: { keys: keys.json } or auth: { jwt: { issuer: "https://…" } }.'
    reader.fault(node, 'auth', 'needs one of keys and jwt', fix)
    return undefined
  }
  if (keys !== undefined)
    return keysGuard(reader, given ?? node, resolve(folder, keys.replace(/^file:/, '')))
  return jwt && jwtGuard(reader, jwt, url)
}

function keysGuard(reader: ConfigReader, node: ConfigNode, path: string): Guard | undefined {
  try {
    return openApiKeyFile({ path }).guard()
  } catch (error) {
    const at = memberOf(node, 'keys')?.node ?? node
    reader.fault(at, 'auth.keys', messageOf(error), 'Mend the file, or name another one.')
    return undefined
  }
}

function jwtGuard(
  reader: ConfigReader,
  node: ConfigNode,
  url: string | undefined,
): Guard | undefined {
  const given = reader.object(node, 'auth.jwt', ['issuer', 'audience', 'scopes'])
  const issuer = reader.text(given, 'issuer', 'auth.jwt.issuer')
  if (given === undefined) return undefined
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
  const audience = reader.text(given, 'audience', 'auth.jwt.audience')
  const scopes = reader.texts(given, 'scopes', 'auth.jwt.scopes')
  try {
    return protect({ issuer, audience, scopes })
  } catch (error) {
    reader.fault(node, 'auth.jwt', messageOf(error), 'Correct it.')
    return undefined
  }
}

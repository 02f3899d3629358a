import type { PrivateJwk } from '@parley/auth/client'
import { memberOf, type ConfigNode } from '@parley/foundation/config'
import { isLoopbackHost, parseUrl } from '@parley/mcp/address'
import { isJsonObject } from '@parley/mcp/json'

import type { OutgoingAuth } from '../identity/outgoing-auth.ts'
import type { ConfigReader } from './config-reader.ts'

/** How callers come in, as far as it matters for how they go on. */
export interface IncomingAuth {
  readonly kind: 'nobody' | 'keys' | 'jwt' | 'certificates'
  /** What tokens of callers are issued for. */
  readonly audiences: readonly string[]
  readonly isStdio: boolean
}

/** What an entry's `auth` comes to: credentials, or headers that are always the same. */
export interface OutgoingSettings {
  readonly auth?: OutgoingAuth | undefined
  readonly headers?: { readonly [name: string]: string } | undefined
}

const types = [
  'static',
  'client-credentials',
  'user',
  'token-exchange',
  'id-jag',
  'pass-through',
] as const

const members: { readonly [Type in (typeof types)[number]]: readonly string[] } = {
  static: ['bearer', 'header', 'value'],
  'client-credentials': ['issuer', 'clientId', 'clientSecret', 'key', 'scopes'],
  user: ['issuer', 'clientId', 'clientSecret', 'scopes'],
  'token-exchange': ['issuer', 'clientId', 'clientSecret', 'resource', 'audience', 'scopes'],
  'id-jag': ['idp', 'issuer', 'clientId', 'clientSecret', 'scopes'],
  'pass-through': ['resource'],
}

/** Reads `auth: { type: … }` of a server; its variables have values already. */
export function readOutgoingAuth(
  reader: ConfigReader,
  node: ConfigNode,
  key: string,
  { url, incoming }: { readonly url: string | undefined; readonly incoming: IncomingAuth },
): OutgoingSettings {
  if (url === undefined) {
    const fix = 'Pass what it needs by env, or give it a url.'
    reader.fault(node, key, 'is for servers with a url', fix)
    return {}
  }
  if (!isJsonObject(node.value)) {
    reader.fault(node, key, 'must be an object', `Write ${key}: { type: user }.`)
    return {}
  }
  const type = reader.choice(node, 'type', `${key}.type`, types)
  if (memberOf(node, 'type') === undefined) {
    reader.fault(node, key, 'has no type', `Add type: ${types.join(', ')}.`)
  }
  if (type === undefined) return {}
  reader.object(node, key, ['type', ...members[type]])
  const fields = fieldsOf(reader, node, key)
  if (type === 'static') return readStatic(reader, node, key)
  requireCallers(reader, node, key, type, incoming)
  switch (type) {
    case 'client-credentials': {
      const secret = readSecretOrKey(reader, node, key)
      const { clientId } = fields.needed('clientId')
      return secret && clientId !== undefined
        ? { auth: { type, ...fields.common(), clientId, ...secret } }
        : {}
    }
    case 'user':
      return { auth: { type, ...fields.common(), ...fields.client() } }
    case 'token-exchange': {
      const { issuer, clientId, clientSecret } = fields.needed('issuer', 'clientId', 'clientSecret')
      if (issuer === undefined || clientId === undefined || clientSecret === undefined) return {}
      const { scopes } = fields.common()
      const resource = reader.text(node, 'resource', `${key}.resource`)
      const audience = reader.text(node, 'audience', `${key}.audience`)
      return { auth: { type, issuer, clientId, clientSecret, scopes, resource, audience } }
    }
    case 'id-jag': {
      const { clientId } = fields.needed('clientId')
      const idp = readProvider(reader, node, key)
      return clientId !== undefined && idp
        ? { auth: { type, ...fields.common(), ...fields.client(), clientId, idp } }
        : {}
    }
    case 'pass-through': {
      const resource = reader.text(node, 'resource', `${key}.resource`)
      requireAudience(reader, node, key, resource ?? url, incoming)
      return { auth: { type, resource } }
    }
  }
}

function fieldsOf(reader: ConfigReader, node: ConfigNode, key: string) {
  const text = (name: string) => reader.text(node, name, `${key}.${name}`)
  return {
    common() {
      const issuer = readIssuer(reader, node, key)
      const scopes = reader.texts(node, 'scopes', `${key}.scopes`)
      return { ...(issuer !== undefined && { issuer }), ...(scopes !== undefined && { scopes }) }
    },
    client() {
      const clientId = text('clientId')
      const clientSecret = text('clientSecret')
      return {
        ...(clientId !== undefined && { clientId }),
        ...(clientSecret !== undefined && { clientSecret }),
      }
    },
    needed<Name extends string>(...names: readonly Name[]) {
      const values = names.map((name) => {
        const isThere = memberOf(node, name) !== undefined
        if (!isThere) reader.fault(node, key, `has no ${name}`, `Add ${name}: "…".`)
        const value = name === 'issuer' ? readIssuer(reader, node, key) : text(name)
        return [name, value] as const
      })
      return Object.fromEntries(values) as { readonly [Each in Name]: string | undefined } // a key for each name
    },
  }
}

function readIssuer(reader: ConfigReader, node: ConfigNode, key: string): string | undefined {
  const issuer = reader.text(node, 'issuer', `${key}.issuer`)
  const url = issuer === undefined ? undefined : parseUrl(issuer)
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  if (issuer === undefined || isSafe) return issuer
  const at = memberOf(node, 'issuer')?.node ?? node
  reader.fault(at, `${key}.issuer`, `is no https address: ${issuer}`, 'Write https://….')
  return undefined
}

function readStatic(reader: ConfigReader, node: ConfigNode, key: string): OutgoingSettings {
  const bearer = reader.text(node, 'bearer', `${key}.bearer`)
  const header = reader.text(node, 'header', `${key}.header`)
  const value = reader.text(node, 'value', `${key}.value`)
  const isPair = header !== undefined && value !== undefined
  if (
    (bearer !== undefined) === isPair ||
    (bearer !== undefined && (header ?? value) !== undefined)
  ) {
    const fix = 'Write bearer: "${secret:NAME}", or header: X-Api-Key and value: "${secret:NAME}".'
    reader.fault(node, key, 'needs bearer, or header and value', fix)
    return {}
  }
  const [name, text] =
    bearer === undefined ? [header ?? '', value ?? ''] : ['Authorization', `Bearer ${bearer}`]
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
    reader.fault(node, `${key}.header`, `is no name of a header: ${name}`, 'Write X-Api-Key.')
    return {}
  }
  if (!/^[\x20-\x7e]*$/.test(text)) {
    const fix = 'Use printable ASCII on one line.'
    reader.fault(node, key, 'has a value that no header can carry', fix)
    return {}
  }
  return { headers: { [name]: text } }
}

/** One of the two; a key is a JWK, as JSON or by `${file:…}`. */
function readSecretOrKey(
  reader: ConfigReader,
  node: ConfigNode,
  key: string,
): { readonly clientSecret: string } | { readonly key: PrivateJwk } | undefined {
  const clientSecret = reader.text(node, 'clientSecret', `${key}.clientSecret`)
  const keyNode = memberOf(node, 'key')?.node
  if ((clientSecret === undefined) === (keyNode === undefined)) {
    const fix = 'Write clientSecret: "${secret:NAME}" or key: "${file:key.jwk}".'
    reader.fault(node, key, 'needs one of clientSecret and key', fix)
    return undefined
  }
  if (keyNode === undefined) return clientSecret === undefined ? undefined : { clientSecret }
  const jwk = typeof keyNode.value === 'string' ? parsed(keyNode.value) : keyNode.value
  if (isJsonObject(jwk) && typeof jwk['kty'] === 'string' && jwk['d'] !== undefined) {
    return { key: { ...jwk, kty: jwk['kty'] } }
  }
  reader.fault(keyNode, `${key}.key`, 'is no private key as a JWK', 'Write key: "${file:key.jwk}".')
  return undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readProvider(reader: ConfigReader, node: ConfigNode, key: string) {
  const providerNode = memberOf(node, 'idp')?.node
  const fix = 'Write idp: { issuer: "https://…", clientId: "…", clientSecret: "…" }.'
  if (providerNode === undefined) {
    reader.fault(node, key, 'has no idp', fix)
    return undefined
  }
  const object = reader.object(providerNode, `${key}.idp`, ['issuer', 'clientId', 'clientSecret'])
  if (object === undefined) return undefined
  const fields = fieldsOf(reader, object, `${key}.idp`)
  const { issuer, clientId } = fields.needed('issuer', 'clientId')
  return issuer === undefined || clientId === undefined
    ? undefined
    : { ...fields.client(), issuer, clientId }
}

/** Who acts for callers has to know them. */
function requireCallers(
  reader: ConfigReader,
  node: ConfigNode,
  key: string,
  type: Exclude<(typeof types)[number], 'static'>,
  { kind, isStdio }: IncomingAuth,
): void {
  if (type === 'client-credentials') return
  if (isStdio) {
    const fix = 'Use type: client-credentials or static, or listen: { http: … } with auth.'
    reader.fault(node, key, `with type ${type} needs callers who sign in, and stdio has none`, fix)
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
  reader.fault(node, key, `with type ${type} ${why}`, `Add ${what} to the file.`)
}

/** A token that was issued for the gateway alone must not be seen by others. */
function requireAudience(
  reader: ConfigReader,
  node: ConfigNode,
  key: string,
  resource: string,
  { kind, audiences }: IncomingAuth,
): void {
  if (kind !== 'jwt' || audiences.includes(resource)) return
  const message = `passes the caller's token on to ${resource}, and tokens here are for ${audiences.join(', ')}`
  const fix = `Use type: token-exchange, or, if one token is meant for both, auth: { jwt: { extraAudiences: ["${resource}"] } }.`
  reader.fault(node, key, message, fix)
}

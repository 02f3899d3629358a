/** Names whose values are nobody's business: headers, variables, parameters and members of objects. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  if (harmless.has(plain) || aboutSecrets.test(plain)) return false
  return parts.some((part) => plain.includes(part)) || whole.has(plain)
}

/** Matches names about secrets that are not secrets: `token_endpoint_auth_methods_supported`, `token_type_hint`, `token_expires_in`. */
const aboutSecrets = /(?:supported|endpoints?|methods?|types?|typehint|expiresin|expiresat)$/

const parts = [
  'token',
  'secret',
  'password',
  'passwd',
  'passphrase',
  'apikey',
  'privatekey',
  'accesskey',
  'credential',
  'authorization',
  'cookie',
  'signingkey',
  'sessionid',
]

/** Too short to be looked for inside other words. */
const whole = new Set([
  'key',
  'pwd',
  'auth',
  'pin',
  'jwt',
  'assertion',
  'clientassertion',
  'codeverifier',
  'xapikey',
])

/** Words of the protocol that only sound like secrets. */
const harmless = new Set([
  'progresstoken',
  'maxtokens',
  'tokens',
  'tokentype',
  'tokenendpoint',
  'tokencount',
  'inputtokens',
  'outputtokens',
  'totaltokens',
  'authorizationendpoint',
  'authorizationserver',
  'authorizationservers',
  'authorizationurl',
  'keywords',
])

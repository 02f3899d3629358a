/** How the client of the public suite signs in: the suite's issuers answer at once, so nobody has to press a button. */

import { createPrivateKey } from 'node:crypto'

import {
  clientCredentialsAuth,
  enterpriseAuth,
  browserAuth,
  createMemoryTokenStore,
  workloadAuth,
} from '@parley/auth/client'

/** @import { BrowserAuthOptions } from '@parley/auth/client' */
/** @import { ClientAuth } from '@parley/mcp/client' */

/**
 * What the suite tells some scenarios.
 *
 * @typedef {object} AuthContext
 * @property {string} [client_id]
 * @property {string} [client_secret]
 * @property {string} [private_key_pem]
 * @property {string} [signing_algorithm]
 * @property {string} [idp_client_id]
 * @property {string} [idp_id_token]
 * @property {string} [idp_issuer]
 * @property {string} [idp_token_endpoint]
 * @property {string} [valid_jwt]
 */

const redirectUri = 'http://localhost:3000/callback'
const clientDocument = 'https://conformance-test.local/client-metadata.json'

/**
 * The credentials a scenario named `auth/…` is played with.
 *
 * @param {string} scenario
 * @param {AuthContext} context
 * @returns {ClientAuth}
 */
export function authFor(scenario, context) {
  switch (scenario) {
    case 'auth/client-credentials-jwt':
      return clientCredentialsAuth({ clientId: need(context.client_id), key: readKey(context) })
    case 'auth/client-credentials-basic': {
      const { client_id, client_secret } = context
      return clientCredentialsAuth({ clientId: need(client_id), clientSecret: need(client_secret) })
    }
    case 'auth/enterprise-managed-authorization':
    case 'auth/cross-app-access-complete-flow': // its name in the suite's first releases
      return enterpriseAuth({
        idp: {
          issuer: need(context.idp_issuer),
          clientId: need(context.idp_client_id),
          tokenEndpoint: context.idp_token_endpoint,
        },
        idToken: () => need(context.idp_id_token),
        clientId: need(context.client_id),
        clientSecret: context.client_secret,
      })
    case 'auth/wif-jwt-bearer':
      return workloadAuth({ assertion: () => need(context.valid_jwt), clientId: context.client_id })
    case 'auth/pre-registration':
      return browse({ clientId: context.client_id, clientSecret: context.client_secret })
    case 'auth/basic-cimd':
      return browse({ clientId: clientDocument })
    default:
      return browse({})
  }
}

/**
 * A person who agrees to everything: asks for the page and looks where it leads, without going there.
 *
 * @param {BrowserAuthOptions} options
 */
function browse(options) {
  /** @type {string | null} */
  let location = null
  return browserAuth({
    clientName: 'Parley conformance client',
    store: createMemoryTokenStore(),
    redirectUri,
    async open(url) {
      const page = await fetch(url, { redirect: 'manual' })
      location = page.headers.get('location')
    },
    async receive() {
      await new Promise((resolve) => setTimeout(resolve, 0)) // the page is asked for first
      while (location === null) await new Promise((resolve) => setTimeout(resolve, 5))
      const callback = new URL(location)
      location = null
      return callback
    },
    ...options,
  })
}

/** @param {AuthContext} context */
function readKey({ private_key_pem, signing_algorithm: alg }) {
  const { kty = '', ...rest } = createPrivateKey(need(private_key_pem)).export({ format: 'jwk' })
  return { ...rest, kty, ...(alg !== undefined && { alg }) }
}

/**
 * @template T
 * @param {T | undefined} value
 * @returns {T}
 */
function need(value) {
  if (value === undefined) throw new Error('the suite does not say what this scenario needs')
  return value
}

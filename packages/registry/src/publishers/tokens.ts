import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

import { jwtVerify, SignJWT } from 'jose'

import type { Permission } from './permissions.ts'

/** What an exchange answers with. */
export interface IssuedToken {
  readonly registry_token: string
  /** Seconds since the epoch. */
  readonly expires_at: number
}

/** Who was let in, and how. */
export interface Grant {
  readonly method: string
  readonly subject: string
  readonly permissions: readonly Permission[]
}

/** Makes and reads the tokens of this registry. */
export interface Tokens {
  issue(grant: Grant): Promise<IssuedToken>
  /** Undefined for a token that is not ours, changed or out of date. */
  verify(token: string): Promise<Grant | undefined>
}

const issuer = 'mcp-registry'
const lifetimeSeconds = 5 * 60
const ed25519Pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Tokens signed with a key made from 32 bytes in hexadecimal. */
export function createTokens(seed: string, now: () => number): Tokens {
  const privateKey = readSeed(seed)
  const publicKey = createPublicKey(privateKey)
  return {
    async issue({ method, subject, permissions }) {
      const issuedAt = Math.floor(now() / 1000)
      const expiresAt = issuedAt + lifetimeSeconds
      const token = await new SignJWT({
        auth_method: method,
        auth_method_sub: subject,
        permissions,
      })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
        .setIssuer(issuer)
        .setIssuedAt(issuedAt)
        .setNotBefore(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(privateKey)
      return { registry_token: token, expires_at: expiresAt }
    },
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, publicKey, {
          issuer,
          algorithms: ['EdDSA'],
          clockTolerance: 15,
          currentDate: new Date(now()),
          requiredClaims: ['exp', 'permissions'],
        })
        return {
          method: String(payload['auth_method']),
          subject: String(payload['auth_method_sub']),
          permissions: readPermissions(payload['permissions']),
        }
      } catch {
        return undefined
      }
    },
  }
}

function readSeed(seed: string): KeyObject {
  if (!/^[0-9a-f]{64}$/i.test(seed)) {
    throw new TypeError('the seed of the token key must be 32 bytes in hexadecimal: 64 digits')
  }
  const key = Buffer.concat([ed25519Pkcs8, Buffer.from(seed, 'hex')])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

function readPermissions(value: unknown): readonly Permission[] {
  return Array.isArray(value) ? value.filter(isPermission) : []
}

function isPermission(value: unknown): value is Permission {
  if (typeof value !== 'object' || value === null) return false
  const { action, resource } = value as { readonly action?: unknown; readonly resource?: unknown } // an object
  const isKnown = action === 'publish' || action === 'edit' || action === 'moderate'
  return isKnown && typeof resource === 'string'
}

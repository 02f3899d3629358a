import { hkdfSync } from 'node:crypto'

import { isJsonObject, parseJsonObject } from '@parley/mcp/json'

import { decryptText, encryptText } from '../../node/encrypted-text.ts'
import type { JsonObject } from '../../shared/json-document.ts'
import type { AuthServerStore } from '../stores/memory-store.ts'
import type { ProviderTokens } from './party-client.ts'

/** The connection of a user here to an account at a provider. */
export interface Link {
  /** The id of the account there. */
  readonly sub: string
  readonly tokens: ProviderTokens
  /** When the provider is asked again, in milliseconds since 1970. */
  readonly renewAt: number
  /** False for tokens that came by a refresh until it is known that they are for the same account. */
  readonly isProven: boolean
}

/** Links in the store, where nobody can read them who lacks the secret. */
export interface Links {
  /** Undefined if there is none, or none that can be read. */
  find(subject: string, provider: string): Promise<Link | undefined>
  keep(subject: string, provider: string, link: Omit<Link, 'renewAt'>): Promise<void>
  remove(subject: string, provider: string): Promise<void>
}

/** Longer than any grant. */
export const linkMs = 100 * 86_400_000
/** How often a provider is asked whose tokens do not expire. */
const retryMs = 3_600_000
/** The time before the expiry of a token when it is refreshed, at most a tenth of its life. */
const aheadMs = 60_000

export function createLinks(options: {
  readonly store: AuthServerStore
  /** The first seals; the others only open what they sealed. */
  readonly secrets: readonly string[]
  readonly now: () => number
}): Links {
  const { store, secrets, now } = options
  const [secret = ''] = secrets

  function renewAt({ expiresAt }: ProviderTokens): number {
    if (expiresAt === undefined) return now() + retryMs
    return expiresAt - Math.min(aheadMs, (expiresAt - now()) / 10)
  }

  return {
    async find(subject, provider) {
      const account = await store.get('Upstream', keyOf(subject, provider))
      const stored: unknown = isJsonObject(account) ? account['encrypted'] : undefined
      const encrypted = typeof stored === 'string' ? stored : ''
      for (const item of secrets) {
        const link = decryptValue(encrypted, item, keyOf(subject, provider))
        if (link !== undefined) return isLink(link) ? link : undefined
      }
      return undefined
    },

    async keep(subject, provider, { sub, tokens, isProven }) {
      const link: Link = { sub, tokens, isProven, renewAt: renewAt(tokens) }
      const encrypted = encryptValue(link, secret, keyOf(subject, provider))
      await store.set('Upstream', keyOf(subject, provider), { encrypted }, linkMs)
    },

    remove: (subject, provider) => store.delete('Upstream', keyOf(subject, provider)),
  }
}

function keyOf(subject: string, provider: string): string {
  return `${provider}\n${subject}`
}

/** Only we could have sealed it; older versions may have sealed something else. */
function isLink(value: object): value is Link {
  return 'sub' in value && 'tokens' in value && 'renewAt' in value && 'isProven' in value
}

/** Text that is of no use to who reads the store but has not the server's secret. `about` must be the same again. */
function encryptValue(value: object, secret: string, about: string): string {
  const encrypted = encryptText(JSON.stringify(value), keyFrom(secret), about)
  return Buffer.from(encrypted).toString('base64url')
}

/** Undefined if it was changed, moved, or sealed by somebody else. */
function decryptValue(text: string, secret: string, about: string): JsonObject | undefined {
  const encrypted = Buffer.from(text, 'base64url').toString('utf8')
  return parseJsonObject(decryptText(encrypted, keyFrom(secret), about) ?? '')
}

function keyFrom(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'what third parties gave us', 32))
}

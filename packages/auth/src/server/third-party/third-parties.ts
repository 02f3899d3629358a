import { randomBytes } from 'node:crypto'

import { isJsonObject } from '../../shared/json.ts'
import { thirdPartyCallbackPath } from '../provider/routes.ts'
import type { Settings } from '../settings.ts'
import { createKeyedQueue } from '../stores/keyed-queue.ts'
import { decryptValue, encryptValue } from './encrypted-value.ts'
import {
  createPartyClient,
  type Departure,
  type PartyClient,
  type PartyTokens,
} from './party-client.ts'

/** Somebody on their way to a third party. */
export interface Pending extends Departure {
  /** Of the sign-in it belongs to. */
  readonly uid: string
  readonly clientId: string
  /** Which third party, by its place. */
  readonly party: number
}

/** Those whose accounts people sign in with here, and what ties their accounts to ours. */
export interface ThirdParties {
  readonly clients: readonly PartyClient[]
  /** Only after the person has agreed to the client. */
  begin(to: Pick<Pending, 'uid' | 'clientId' | 'party'>): Promise<URL>
  /** Which sign-in an answer belongs to; it can still be taken. */
  find(state: string): Promise<string | undefined>
  /** What was sent along; once. */
  take(state: string): Promise<Pending | undefined>
  /** Ties somebody here to the account they came with. */
  keep(subject: string, issuer: string, tokens: PartyTokens): Promise<void>
  /** Whether their third party still stands for them; true for who has none. Throws if that cannot be found out now. */
  standsFor(subject: string): Promise<boolean>
}

const pendingMs = 10 * 60_000
/** Longer than any grant. */
const linkMs = 100 * 86_400_000

export function createThirdParties(settings: Settings, secret: string): ThirdParties {
  const { store, issuerUrl, basePath, signInWith, fetch, now, audit } = settings
  const redirectUri = `${issuerUrl.origin}${basePath}${thirdPartyCallbackPath}`
  const clients = signInWith.map((party) => createPartyClient(party, { redirectUri, fetch, now }))
  const inTurn = createKeyedQueue()

  async function keep(subject: string, issuer: string, tokens: PartyTokens): Promise<void> {
    const { expiresAt } = tokens
    const sealed = encryptValue(tokens, secret, `${issuer}\n${subject}`)
    await store.set('ThirdParty', subject, { issuer, expiresAt, sealed }, linkMs)
  }

  /** A third party's word is good for as long as the token it gave us; then it is asked again. */
  async function renew(subject: string): Promise<boolean> {
    const link = await store.get('ThirdParty', subject)
    if (!isJsonObject(link)) return true
    const { issuer, expiresAt, sealed } = link
    if (Number(expiresAt) > now()) return true
    const client = clients.find(({ party }) => party.issuer === issuer)
    const tokens = decryptValue(String(sealed), secret, `${String(issuer)}\n${subject}`)
    const refreshToken = tokens?.['refreshToken']
    const fresh = typeof refreshToken === 'string' ? await client?.renew(refreshToken) : undefined
    if (fresh !== undefined) {
      await keep(subject, String(issuer), fresh)
      return true
    }
    audit({ type: 'sign_out', subject, reason: `${String(issuer)} no longer vouches for the user` })
    await store.delete('Account', subject)
    return false
  }

  return {
    clients,

    async begin({ uid, clientId, party }) {
      const client = clients[party]
      if (client === undefined) throw new Error('there is no such third party')
      const [state, nonce, verifier] = [random(), random(), random()]
      const url = await client.begin({ state, nonce, verifier })
      const pending: Pending = { state, nonce, verifier, uid, clientId, party }
      await store.set('Departure', state, pending, pendingMs)
      return url
    },

    async find(state) {
      const pending = await store.get('Departure', state)
      return isPending(pending) ? pending.uid : undefined
    },

    take(state) {
      return inTurn(state, async () => {
        const pending = await store.get('Departure', state)
        await store.delete('Departure', state)
        return isPending(pending) ? pending : undefined
      })
    },

    keep,
    // A refresh token that rotates must not be spent by two at once.
    standsFor: (subject) => inTurn(subject, () => renew(subject)),
  }
}

function isPending(value: unknown): value is Pending {
  if (!isJsonObject(value) || typeof value['party'] !== 'number') return false
  return ['state', 'nonce', 'verifier', 'uid', 'clientId'].every(
    (name) => typeof value[name] === 'string',
  )
}

function random(): string {
  return randomBytes(32).toString('base64url')
}

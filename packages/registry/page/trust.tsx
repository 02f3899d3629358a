import { Icon } from '@parley/page/icons'
import { showHidden } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { Entry } from './read-entry.ts'

/** Who a publisher is, as far as this registry or the one it mirrors has seen a proof. */
export interface TrustText {
  readonly isVerified: boolean
  /** For a list: `DNS`. */
  readonly short: string
  /** A whole sentence. */
  readonly long: string
}

export function trustOf({ proof, source }: Entry): TrustText {
  const by = source === undefined ? '' : ` (says ${source})`
  if (proof === undefined) {
    const short = source === undefined ? 'Unverified' : 'Mirrored'
    const long =
      source === undefined
        ? 'Publisher unverified: the entry was imported'
        : `From ${source}, which knows the publisher`
    return { isVerified: false, short, long }
  }
  const { method, domain = 'its domain' } = proof
  switch (method) {
    case 'dns':
      return verified('DNS', `DNS of ${domain}${by}`)
    case 'http':
      return verified(domain, `a file on ${domain}${by}`)
    case 'github-at':
    case 'github-oidc':
      return verified('GitHub', `GitHub${by}`)
    case 'key':
      return verified('key', `a key that this registry knows${by}`)
    case 'none':
      return {
        isVerified: false,
        short: 'Unverified',
        long: `Publisher unverified: anonymous${by}`,
      }
    default:
      return verified('sign-in', `a sign-in at ${method}${by}`)
  }
}

function verified(short: string, what: string): TrustText {
  return { isVerified: true, short, long: `Publisher verified by ${what}` }
}

/** A shield with the words; green only where there was a proof. */
export function TrustMark({
  entry,
  isShort = false,
}: {
  readonly entry: Entry
  readonly isShort?: boolean
}): ReactElement {
  const { isVerified, short, long } = trustOf(entry)
  return (
    <span className="trust" data-verified={isVerified} title={isShort ? long : undefined}>
      <Icon name={isVerified ? 'shieldCheck' : 'shield'} size={14} />
      <span className="wrap">{showHidden(isShort ? short : long)}</span>
    </span>
  )
}

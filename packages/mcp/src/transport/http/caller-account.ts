import { accountOf, type AuthInfo } from '../../rpc/auth-info.ts'
import { plainAddress } from './forwarding.ts'

/**
 * Whom limits count a request for: the account that was verified, or for strangers the address they come from. Empty for
 * this machine, and where nobody says: there may be one caller or many behind it.
 */
export type CallerAccount = string

/** Remembers the last address, as many requests come from the same. */
export function createCallerAccounts(): (
  auth: AuthInfo | undefined,
  address: () => string | undefined,
) => CallerAccount {
  let lastAddress = ''
  let last: CallerAccount = ''

  return (auth, address) => {
    if (auth !== undefined) return accountOf(auth)
    const seen = address() ?? ''
    if (seen !== lastAddress) {
      last = accountOfAddress(seen)
      lastAddress = seen
    }
    return last
  }
}

/** Nobody was verified, but an address is known. */
export function isAddress(account: CallerAccount): boolean {
  return account !== '' && !account.startsWith('[')
}

/** Of IPv6 the first half: one household has all of the second. */
function accountOfAddress(address: string): CallerAccount {
  const plain = plainAddress(address)
  if (!plain.includes(':')) return plain.startsWith('127.') ? '' : plain
  if (plain === '::1') return ''
  const [head = [], tail] = plain.split('::', 2).map((part) => part.split(':').filter(Boolean))
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - head.length - tail.length)
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])]
  return groups.slice(0, 4).join(':').toLowerCase()
}

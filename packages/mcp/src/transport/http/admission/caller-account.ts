import { addressBlock } from '../../../rpc/address/ip-address.ts'
import { isLoopbackAddress } from '../../../rpc/address/loopback-host.ts'
import { accountOf, type AuthInfo } from '../../../rpc/auth-info.ts'

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

function accountOfAddress(address: string): CallerAccount {
  return isLoopbackAddress(address) ? '' : addressBlock(address)
}

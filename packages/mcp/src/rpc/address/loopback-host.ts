import { classifyAddress } from './ip-address.ts'

/** Whether something to listen on, or a `Host`, is this machine and nobody else: `localhost`, or an address in digits. */
export function isLoopbackAddress(host: string): boolean {
  return host === 'localhost' || classifyAddress(host) === 'loopback'
}

/** Whether the host of a URL can only be this machine; names below `localhost` are, too. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  return isLoopbackAddress(host) || host.endsWith('.localhost')
}

export { addressBlock, classifyAddress } from '../rpc/address/ip-address.ts'
export type { AddressKind } from '../rpc/address/ip-address.ts'
export { isLoopbackAddress, isLoopbackHost } from '../rpc/address/loopback-host.ts'
export { parseUrl } from '../rpc/address/parse-url.ts'

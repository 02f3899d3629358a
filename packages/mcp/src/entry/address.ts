export { addressBlock, classifyAddress } from '../rpc/ip-address.ts'
export type { AddressKind } from '../rpc/ip-address.ts'
export { isLoopbackAddress, isLoopbackHost } from '../rpc/loopback-host.ts'
export { parseUrl } from '../rpc/parse-url.ts'

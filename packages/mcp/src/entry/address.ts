export { canonicalUri } from '../rpc/address/canonical-uri.ts'
export {
  addressBlock,
  classifyAddress,
  type AddressKind,
  isLoopbackAddress,
  isLoopbackHost,
} from '../rpc/address/ip-address.ts'
export { parseUrl } from '../rpc/address/parse-url.ts'
export {
  createTrustedProxies,
  type TrustedProxies,
} from '../transport/http/admission/trusted-proxies.ts'

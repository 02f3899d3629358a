export { canonicalUri } from '../rpc/address/canonical-uri.ts'
export {
  addressBlock,
  classifyAddress,
  type AddressKind,
  isLoopbackAddress,
  isLoopbackHost,
  parseUrl,
} from '../rpc/address.ts'
export {
  createTrustedProxies,
  type TrustedProxies,
} from '../transport/http/admission/trusted-proxies.ts'

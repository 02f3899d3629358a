export { createProxy, type Proxy, type ProxyTarget } from '../transport/proxy/create-proxy.ts'
export type { ParkedLimits, ProxyMode, ProxyOptions } from '../transport/proxy/proxy-options.ts'

export {
  createProxy,
  type Proxy,
  type ProxyBackend,
  type ProxyTarget,
} from '../transport/proxy/create-proxy.ts'
export type { ProxyWatch, ProxyWatcher, WatchedList } from '../transport/proxy/watch.ts'
export type { ProxySession } from '../transport/proxy/proxy-session.ts'
export type { ParkedLimits, ProxyMode, ProxyOptions } from '../transport/proxy/proxy-options.ts'

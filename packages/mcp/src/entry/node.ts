export { createNodeHandler, type NodeHandler } from '../transport/http/runtime/node.ts'
export {
  serveHttp,
  type HealthRoutes,
  type HttpService,
  type MetricsSource,
  type ServeHttpOptions,
} from '../transport/http/runtime/serve-http.ts'
export type { Health } from '../transport/http/http-options.ts'
export type { ServerTls, TlsFiles } from '../transport/http/runtime/server-tls.ts'
export type {
  ServerCard,
  ServerCardOptions,
  ServerCardRemote,
  ServerCardRepository,
} from '../transport/http/runtime/server-card.ts'
export type { Routes } from '../transport/http/runtime/exchange.ts'
export { serve, type ServeAnyOptions } from '../transport/serve.ts'

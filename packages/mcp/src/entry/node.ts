export { createNodeHandler, type NodeHandler } from '../transport/http/runtime/node-handler.ts'
export {
  serveHttp,
  type HttpService,
  type ServeHttpOptions,
} from '../transport/http/runtime/serve-http.ts'
export { serve, type ServeAnyOptions } from '../transport/serve.ts'

export { createNodeHandler, type NodeHandler } from '../transport/http/node-handler.ts'
export { serveHttp, type HttpService, type ServeHttpOptions } from '../transport/http/serve-http.ts'
export { serve, type ServeAnyOptions } from '../transport/serve.ts'

import type { ServerResponse } from 'node:http'

import type { Service } from '../../../server/peer/serve.ts'
import { definitionOf, type Server } from '../../../server/server.ts'
import { createHttpEndpoint } from '../endpoint.ts'
import type { Health, HttpOptions } from '../http-options.ts'
import { createNodeExchange, type NodeRequest } from './node-exchange.ts'
import { createRunningService } from './running-service.ts'

/** A request listener of Node; also for Express and Fastify, which may have parsed `request.body`. */
export interface NodeHandler extends Service {
  /** Answers one request. */
  (request: NodeRequest, response: ServerResponse): void
  /** Figures for a health check. */
  health(): Health
}

/** For Express, Fastify and plain `http`: the fast path, without web-standard objects. */
export function createNodeHandler<App>(
  server: Server<App, unknown>,
  options: HttpOptions = {},
): NodeHandler {
  const endpoint = createHttpEndpoint(definitionOf(server), options)
  const handler = (request: NodeRequest, response: ServerResponse): void =>
    endpoint.handle(createNodeExchange(request, response))
  return Object.assign(handler, createRunningService(endpoint), { health: endpoint.health })
}

import type { Service } from '../../../server/peer/serve.ts'
import { definitionOf, type Server } from '../../../server/server.ts'
import { createHttpEndpoint } from '../endpoint.ts'
import type { Health, HttpOptions } from '../http-options.ts'
import { createFetchExchange, type FetchOptions } from './fetch-exchange.ts'
import { createRunningService } from './running-service.ts'

/** An endpoint for whatever gives requests and takes responses. */
export interface McpHandler extends Service {
  /** Answers one request. Pass `waitUntil` where the runtime ends work after the response. */
  fetch(request: Request, options?: FetchOptions): Promise<Response>
  /** Figures for a health check. */
  health(): Health
}

/** One endpoint as a web-standard handler; mount its `fetch` wherever requests arrive. */
export function createMcpHandler<App>(
  server: Server<App, unknown>,
  options: HttpOptions = {},
): McpHandler {
  const endpoint = createHttpEndpoint(definitionOf(server), options)
  return {
    ...createRunningService(endpoint),
    health: endpoint.health,
    async fetch(request, about = {}) {
      const { exchange, response } = createFetchExchange(request, about)
      endpoint.handle(exchange)
      return response
    },
  }
}

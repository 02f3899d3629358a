import { createMcpHandler, type HttpOptions, type McpHandler } from '@parley/mcp/http'
import type { Server } from '@parley/mcp/server'

import { createCluster, type ClusterOptions, type StoreCluster } from '../cluster/create-cluster.ts'
import type { ObjectContext } from './cloudflare-types.ts'
import { createDurableObjectClusterStore } from './object-store.ts'
import { createObjectUpkeep } from './object-upkeep.ts'

/** Context for creating the server of an object. */
export interface ObjectServerContext<Env> {
  /** The bindings of the Worker. */
  readonly env: Env
  /** The stores of the object: `cluster.tasks` for `serverTasks({ store })`. */
  readonly cluster: StoreCluster
}

/** The server of a Durable Object, and its options. */
export interface McpObjectOptions<Env> {
  /** Seals session ids and request states: 32 random characters or more, from a secret of the Worker. See `ClusterOptions`. */
  readonly secret: (env: Env) => ClusterOptions['secret']
  /** Makes the server. Called once whenever the object comes into memory. */
  readonly server: (context: ObjectServerContext<Env>) => Server<never, unknown> | Server
  /** How it is offered: `url` at least, and `auth` or `allowAnonymous` of your own. */
  readonly http: HttpOptions | ((env: Env) => HttpOptions)
  /** How sessions and streams are kept. */
  readonly cluster?: Omit<ClusterOptions, 'secret'> | undefined
}

/** The methods that the runtime calls. */
export interface McpObject {
  /** Answers a request that `routeToObjects` sent here. */
  fetch(request: Request): Promise<Response>
  /** Deletes what is not kept any more, and keeps the object in memory while a task runs. */
  alarm(): Promise<void>
}

/** A class for the runtime: export it from your Worker under the name in its configuration. */
export type McpObjectClass<Env> = new (context: ObjectContext, env: Env) => McpObject

/**
 * A Durable Object that serves an MCP server. Sessions, streams and tasks are in its storage, so they survive when the
 * object is moved, or leaves memory because nobody uses it.
 */
export function createMcpObject<Env = unknown>(
  options: McpObjectOptions<Env>,
): McpObjectClass<Env> {
  // A class, because the runtime makes objects with `new`.
  return class implements McpObject {
    readonly #handler: McpHandler
    readonly #upkeep: ReturnType<typeof createObjectUpkeep>

    constructor(context: ObjectContext, env: Env) {
      const store = createDurableObjectClusterStore(context.storage)
      const cluster = createCluster(store, { ...options.cluster, secret: options.secret(env) })
      const http = typeof options.http === 'function' ? options.http(env) : options.http
      this.#handler = createMcpHandler(options.server({ env, cluster }), { ...http, cluster })
      this.#upkeep = createObjectUpkeep(context.storage, store, this.#handler.health)
      void context.blockConcurrencyWhile(() => cluster.start())
    }

    async fetch(request: Request): Promise<Response> {
      this.#upkeep.wake()
      return this.#handler.fetch(request, { waitUntil: this.#upkeep.waitUntil })
    }

    alarm(): Promise<void> {
      return this.#upkeep.alarm()
    }
  }
}

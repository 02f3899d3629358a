import { Redis, type RedisOptions } from 'ioredis'

/** The part of an `ioredis` client that the store uses: `Redis` and `Cluster` both have it. */
export interface RedisClient {
  /** `ready` when commands are sent at once. */
  readonly status: string
  /** `keyPrefix` must not be set: scripts name their keys themselves. */
  readonly options: {
    readonly keyPrefix?: string | undefined
    readonly host?: string | undefined
    readonly port?: number | undefined
    readonly path?: string | undefined
    readonly tls?: unknown
    readonly sentinels?: unknown
  }
  /** Runs a script. */
  eval(script: string, keyCount: number, ...rest: (string | number)[]): Promise<unknown>
  /** Runs a script that the server has already. */
  evalsha(sha: string, keyCount: number, ...rest: (string | number)[]): Promise<unknown>
  /** Sends a text on a channel. */
  publish(channel: string, text: string): Promise<unknown>
  /** Hears channels. */
  subscribe(...channels: string[]): Promise<unknown>
  /** Hears them no longer. */
  unsubscribe(...channels: string[]): Promise<unknown>
  /** Resolves when the server answers. */
  ping(): Promise<unknown>
  /** Connects, if it was made with `lazyConnect`. */
  connect(): Promise<unknown>
  /** Ends the connection after what was sent is answered. */
  quit(): Promise<unknown>
  /** Ends the connection at once. */
  disconnect(): void
  /** Another client with the same options, for subscriptions. */
  duplicate(): RedisClient
  /** Hears an event. */
  on(event: 'ready' | 'close', listener: () => void): unknown
  /** Hears an event. */
  on(event: 'error', listener: (error: unknown) => void): unknown
  /** Hears an event. */
  on(event: 'message', listener: (channel: string, text: string) => void): unknown
  /** Hears it no longer. */
  off(event: 'ready' | 'close', listener: () => void): unknown
  /** Hears it no longer. */
  off(event: 'error', listener: (error: unknown) => void): unknown
}

/** Where the clients of a store come from. */
export interface RedisSource {
  readonly url?: string | undefined
  readonly connection?: RedisOptions | undefined
  readonly client?: RedisClient | (() => RedisClient) | undefined
}

/** One client for commands, one for subscriptions. */
export interface RedisClients {
  readonly commands: RedisClient
  readonly subscriptions: RedisClient
  /** Those that the store has made, and closes. */
  readonly own: readonly RedisClient[]
}

/** Makes the two clients of a store, or takes the one that is given and makes the other like it. */
export function openClients(source: RedisSource, timeoutMs: number): RedisClients {
  const { client } = source
  if (client !== undefined && typeof client !== 'function') {
    const subscriptions = client.duplicate()
    return { commands: client, subscriptions, own: [subscriptions] }
  }
  const make = client ?? (() => makeClient(source, timeoutMs))
  const [commands, subscriptions] = [make(), make()]
  return { commands, subscriptions, own: [commands, subscriptions] }
}

/** A command is sent once and waits for nothing: what a lost connection means is for the caller to decide. */
function makeClient({ url, connection }: RedisSource, timeoutMs: number): RedisClient {
  if (url === undefined && connection === undefined) {
    throw new Error(
      'no Redis server is configured: set `url`, for example redis://localhost:6379, or `connection`, or `client`',
    )
  }
  const options = {
    connectTimeout: Math.max(timeoutMs, 1_000),
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 5), 1_000) + Math.random() * 50,
    socketTimeout: 3 * timeoutMs,
    ...connection,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    replyMapping: 'legacy',
  } as const satisfies RedisOptions
  return url === undefined ? new Redis(options) : new Redis(url, options)
}

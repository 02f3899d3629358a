import type { ClusterBus } from '../store/cluster-store.ts'
import { createListeners } from '../store/listeners.ts'
import type { RedisClient } from './redis-client.ts'
import type { RedisCommands } from './redis-commands.ts'
import type { RedisKeys } from './redis-keys.ts'

/** How often the connection is tried: one that hears nothing does not notice that it is dead. */
const pingEveryMs = 15_000

/** A bus that can be closed. */
export interface RedisBus extends ClusterBus, Disposable {}

export function createRedisBus(
  commands: RedisCommands,
  client: RedisClient,
  keys: RedisKeys,
): RedisBus {
  const start = keys.shared('bus:')
  const channelOf = (topic: string): string => `${start}${topic}`

  /** Runs a command; a failed one is repeated with the next connection. */
  function attempt(command: () => Promise<unknown>): void {
    if (client.status === 'ready') command().catch(() => undefined)
  }

  const listeners = createListeners({
    open: (topic) => attempt(() => client.subscribe(channelOf(topic))),
    close: (topic) => attempt(() => client.unsubscribe(channelOf(topic))),
  })
  client.on('message', (channel: string, text: string) => {
    if (channel.startsWith(start)) listeners.notify(channel.slice(start.length), text)
  })
  client.on('ready', () => {
    const channels = listeners.topics().map(channelOf)
    if (channels.length > 0) attempt(() => client.subscribe(...channels))
  })
  const pings = setInterval(() => attempt(() => client.ping()), pingEveryMs).unref()

  return {
    publish: (topic, text) => commands.publish(channelOf(topic), text),
    subscribe: (topic, onText) => listeners.add(topic, onText),
    [Symbol.dispose]: () => clearInterval(pings),
  }
}

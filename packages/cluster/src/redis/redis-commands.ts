import { errorMessage } from '@parley/mcp/json'

import { StoreUnavailable } from '../store/cluster-store.ts'
import { withDeadline } from '../store/deadline.ts'
import type { RedisClient } from './redis-client.ts'
import { explainRedisStart } from './redis-start.ts'
import type { Script } from './script.ts'

/** Runs scripts: each is answered within the deadline, or rejects with `StoreUnavailable`. */
export interface RedisCommands extends Disposable {
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  /** Sent if there is a connection, and forgotten. */
  publish(channel: string, text: string): void
  /** Resolves when the client can send commands. */
  connect(): Promise<void>
}

/** Commands without an answer. A server that does not answer must not fill this process's memory. */
const maxUnanswered = 10_000

export function createRedisCommands(client: RedisClient, timeoutMs: number): RedisCommands {
  let lastError: unknown
  let unanswered = 0
  let connection = 0
  const onError = (error: unknown): void => {
    lastError = error
  }
  const onReady = (): void => {
    lastError = undefined
  }
  const onClose = (): void => {
    // Some answers will never come, not even as errors.
    connection += 1
    unanswered = 0
  }
  client.on('error', onError)
  client.on('ready', onReady)
  client.on('close', onClose)

  async function send<Answer>(command: () => Promise<Answer>): Promise<Answer> {
    if (client.status !== 'ready') {
      throw new StoreUnavailable('Redis is not connected', { cause: lastError })
    }
    if (unanswered >= maxUnanswered) {
      throw new StoreUnavailable(`Redis has not answered ${maxUnanswered} commands`)
    }
    const sentOn = connection
    unanswered += 1
    try {
      return await command()
    } finally {
      if (sentOn === connection) unanswered -= 1
    }
  }

  return {
    async run({ lua, sha }, keys, args) {
      const rest = [keys.length, ...keys, ...args] as const
      const evaluate = async (): Promise<unknown> => {
        try {
          return await client.evalsha(sha, ...rest)
        } catch (error) {
          if (!isMessage(error, 'NOSCRIPT')) throw error
          return client.eval(lua, ...rest)
        }
      }
      try {
        return await withDeadline(send(evaluate), timeoutMs, 'Redis')
      } catch (error) {
        throw unavailable(error)
      }
    },

    publish(channel, text) {
      send(() => client.publish(channel, text)).catch(() => {
        // A hint may be lost.
      })
    },

    async connect() {
      if (client.status === 'ready') return
      const connecting = isIdle(client) ? client.connect() : untilReady(client)
      try {
        await withDeadline(connecting, timeoutMs, 'Redis')
      } catch (error) {
        connecting.catch(() => undefined) // it may fail after its deadline too
        throw explainRedisStart(client, error, lastError)
      }
    },

    [Symbol.dispose]() {
      client.off('error', onError)
      client.off('ready', onReady)
      client.off('close', onClose)
    },
  }
}

/** Connects only when asked to. */
function isIdle({ status }: RedisClient): boolean {
  return status === 'wait' || status === 'end'
}

/** Rejects with the first error: the client goes on trying by itself. */
function untilReady(client: RedisClient): Promise<void> {
  return new Promise((resolve, reject) => {
    const onReady = (): void => {
      end()
      resolve()
    }
    const onError = (error: unknown): void => {
      end()
      reject(error instanceof Error ? error : new Error(String(error)))
    }
    function end(): void {
      client.off('ready', onReady)
      client.off('error', onError)
    }
    client.on('ready', onReady)
    client.on('error', onError)
  })
}

function unavailable(error: unknown, cause: unknown = error): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error
  // ioredis adds the command with its arguments, which are not for logs.
  if (error instanceof Error) Reflect.deleteProperty(error, 'command')
  const reason = errorMessage(error)
  return new StoreUnavailable(`Redis failed: ${reason}`, { cause })
}

function isMessage(error: unknown, start: string): boolean {
  return error instanceof Error && error.message.startsWith(start)
}

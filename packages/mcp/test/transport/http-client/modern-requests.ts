import type { JsonObject } from '@parley/mcp'

import { systemClock } from '../../../src/rpc/clock.ts'
import { openConnection } from '../../../src/rpc/connection.ts'
import { resolveLimits } from '../../../src/rpc/limits.ts'
import type { Notification } from '../../../src/rpc/message.ts'
import { createReceiver } from '../../../src/rpc/receiver.ts'
import {
  createHttpTransport,
  type HttpTransportOptions,
} from '../../../src/transport/http-client/http-transport.ts'
import { decodeModernError } from '../../../src/wire/request-codec.ts'
import { writeEnvelope } from '../../../src/wire/request-meta.ts'
import { codecFor } from '../../../src/wire/revisions.ts'
import type { ScriptedServer } from './scripted-server.ts'

export const version = '2026-07-28'

/** Sends requests of a revision without handshake, and shows all that comes of them. */
export interface StandaloneClient extends AsyncDisposable {
  /** With the envelope. */
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<JsonObject>
  /** Without it, as in a session. */
  plain(method: string, params?: JsonObject): Promise<JsonObject>
  notify(method: string, params?: JsonObject): void
  readonly notifications: readonly Notification[]
  readonly errors: readonly unknown[]
  readonly kind: string | undefined
  /** Undefined while the channel lives. */
  readonly ended: { readonly error: unknown } | undefined
}

interface RequestOptions {
  readonly signal?: AbortSignal
}

export function openStandalone(
  { url }: Pick<ScriptedServer, 'url'>,
  options: HttpTransportOptions = {},
): StandaloneClient {
  const codec = codecFor(version, [version])
  if (!codec) throw new Error(`no codec for ${version}`)
  const notifications: Notification[] = []
  const errors: unknown[] = []
  let ended: StandaloneClient['ended']
  const onError = (error: unknown): void => void errors.push(error)
  const transport = createHttpTransport(new URL(url), { onError, ...options })
  const connection = openConnection({
    transport,
    clock: options.clock ?? systemClock,
    limits: resolveLimits(),
    maxPendingResponses: 0,
    receiver: (own) =>
      createReceiver(own, {
        onRequest: ({ id }) => own.reject(id, { code: -32601, message: 'no questions' }),
        onNotification: (notification) => void notifications.push(notification),
        hasBatches: () => false,
        encodeError: (error) => codec.encodeError(error),
      }),
    onEnd: (error) => (ended = { error }),
    onError,
    decodeError: decodeModernError,
  })
  const patient = { idleMs: Infinity, totalMs: Infinity }

  return {
    request(method, params = {}, { signal } = {}) {
      const _meta = writeEnvelope({ version, capabilities: {} })
      return connection.request(method, { ...params, _meta }, { ...patient, signal })
    },
    plain: (method, params) => connection.request(method, params, patient),
    notify: connection.notify,
    notifications,
    errors,
    get kind() {
      return transport.kind
    },
    get ended() {
      return ended
    },
    [Symbol.asyncDispose]: () => connection.close(new Error('closed')),
  }
}

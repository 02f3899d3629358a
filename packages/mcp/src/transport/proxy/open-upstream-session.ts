import { envelopeOf, type ClientIdentity } from '../../client/connection/identity.ts'
import {
  openSession,
  type ClientSession,
  type SessionReceiver,
} from '../../client/connection/session.ts'
import type { TransportLink } from '../../client/connection/transport-link.ts'
import type { Connection } from '../../rpc/connection.ts'
import { isMcpError } from '../../rpc/errors/mcp-error.ts'
import type { Notification, Request } from '../../rpc/message.ts'
import type { SessionEnd } from '../../rpc/observer.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import type { Transport } from '../../rpc/transport.ts'
import type { Codec } from '../../wire/codec.ts'
import { newestLegacyCodec, type RequestCodec } from '../../wire/request-codec.ts'
import type { ProxySettings } from './proxy-options.ts'

/** Receives the messages of the server other than responses. */
export interface UpstreamEvents {
  onRequest(request: Request, session: Pick<ClientSession, 'connection'>): void
  onNotification(notification: Notification, connection: Connection): void
  /** Messages that belong to no call may have been missed. */
  onGap(): void
  /** Once, when a session that was opened has ended. */
  onDisconnected(error: unknown): void
}

/** The revision of the server, stored for the next session. */
export interface KnownEra {
  /** The revision that it spoke when it was asked for the newest. */
  revision?: string | undefined
}

/**
 * Opens a session with the server on behalf of one client. A client that began with `initialize` is passed on by
 * `initialize` in its own revision, so that what both sides say needs no translation; any other by the newest revision.
 */
export async function openUpstreamSession(
  settings: ProxySettings,
  client: ClientIdentity,
  codec: Pick<Codec, 'has' | 'revision'>,
  events: UpstreamEvents,
  signal: AbortSignal,
): Promise<ClientSession> {
  const { revisions: all, known } = settings
  const isLegacy = codec.has.initialize && newestLegacyCodec(all) !== undefined
  if (!isLegacy) {
    const session = await openWith(settings, client, events, signal, all, known.revision)
    known.revision = session.codec.revision
    return session
  }
  const { revision } = codec
  const older = all.filter((each) => each <= revision || newestLegacyCodec([each]) === undefined)
  try {
    return await openWith(settings, client, events, signal, older, revision)
  } catch (error) {
    if (!isMcpError(error, 'no_common_version') || older.length === all.length) throw error
    return openWith(settings, client, events, signal, all, revision)
  }
}

async function openWith(
  { open, clock, limits, timeouts, onError, observer, tools }: ProxySettings,
  client: ClientIdentity,
  events: UpstreamEvents,
  signal: AbortSignal,
  revisions: readonly string[],
  prior: string | undefined,
): Promise<ClientSession> {
  let reportEnd: SessionEnd | undefined
  let isLost = false

  function receive(codec: () => RequestCodec | undefined): SessionReceiver {
    return {
      link: {
        needsStream: () => codec()?.has.initialize !== false,
        onNeed: () => undefined, // it is needed from the start
        onHealth: () => undefined, // calls find out
        onGap: () => events.onGap(),
        paramHeaders: tools.headersOf,
      },
      onRequest: (request, connection) => events.onRequest(request, { connection }),
      onNotification: events.onNotification,
      ask: unasked,
    }
  }

  const { connectMs, probeMs } = timeouts
  const identity = {
    ...client,
    envelope: (revision: string) => envelopeOf(client, revision),
  }
  const session = await openSession(
    { openTransport: open, identity, connectMs, probeMs, clock, limits, onError },
    {
      revisions,
      prior,
      signal,
      receive,
      onDisconnected(error) {
        isLost = true
        reportEnd?.(error)
        events.onDisconnected(error)
      },
    },
  )
  if (!isLost && session.kind === 'legacy') {
    const { kind, peer } = session.transport
    const { revision } = session.codec
    reportEnd = observer?.watchSession?.({ side: 'client', revision, transport: kind, peer })
  }
  return session
}

/** A proxy answers no input requests: those in results go to the client of the call. */
function unasked(): never {
  throw new TypeError('a proxy answers no questions itself')
}

/** How the server is reached, each time. */
export type OpenTransport = (link: TransportLink) => MaybePromise<Transport>

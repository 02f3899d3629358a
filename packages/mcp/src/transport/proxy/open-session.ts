import type { Identity } from '../../client/connection/identity.ts'
import { openSession, type ClientSession } from '../../client/connection/session.ts'
import type { TransportLink } from '../../client/connection/transport-link.ts'
import { isMcpError } from '../../rpc/errors/mcp-error.ts'
import type { Notification, Request } from '../../rpc/message.ts'
import type { SessionEnd } from '../../rpc/observer.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import type { Transport } from '../../rpc/transport.ts'
import type { ClientCapabilities } from '../../schema/capabilities.ts'
import type { Implementation } from '../../schema/metadata.ts'
import type { Codec } from '../../wire/codec.ts'
import { newestLegacyCodec, type RequestCodec } from '../../wire/request-codec.ts'
import { writeEnvelope } from '../../wire/request-meta.ts'
import type { ProxySettings } from './proxy-options.ts'

/** Whom the server is told that it speaks with: the client itself. */
export interface ClientIdentity {
  readonly info: Implementation
  readonly capabilities: ClientCapabilities
}

/** What a server sends that answers nothing. */
export interface UpstreamEvents {
  onRequest(request: Request, session: Pick<ClientSession, 'connection'>): void
  onNotification(notification: Notification): void
  /** Messages that belong to no call may have been missed. */
  onGap(): void
  /** Once, when a session that was opened has ended. */
  onLost(error: unknown): void
}

/** What has been found out about the server, for the next time. */
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

/** A server that closed the channel when it was probed is opened again with `initialize`. */
async function openWith(
  settings: ProxySettings,
  client: ClientIdentity,
  events: UpstreamEvents,
  signal: AbortSignal,
  revisions: readonly string[],
  prior: string | undefined,
): Promise<ClientSession> {
  let isProbeLost = false
  const lost = (): void => void (isProbeLost = true)
  try {
    return await openOnce(settings, client, events, { signal, revisions, prior, lost })
  } catch (error) {
    if (!isProbeLost || signal.aborted) throw error
    const old = revisions.filter((each) => newestLegacyCodec([each]) !== undefined)
    return openOnce(settings, client, events, { signal, revisions: old, prior, lost })
  }
}

interface Attempt {
  readonly signal: AbortSignal
  readonly revisions: readonly string[]
  readonly prior: string | undefined
  readonly lost: () => void
}

async function openOnce(
  { open, clock, limits, timeouts, onError, observer, tools }: ProxySettings,
  client: ClientIdentity,
  events: UpstreamEvents,
  { signal, revisions, prior, lost }: Attempt,
): Promise<ClientSession> {
  let codec: RequestCodec | undefined
  let session: ClientSession | undefined
  let tellEnd: SessionEnd | undefined
  const ends: unknown[] = []
  signal.throwIfAborted()
  const link: TransportLink = {
    needsStream: () => codec?.has.initialize !== false,
    onNeed: () => undefined, // it is needed from the start
    onHealth: () => undefined, // calls find out
    onGap: () => events.onGap(),
    paramHeaders: tools.headersOf,
  }
  const transport: Transport = await open(link)
  session = await openSession(transport, {
    identity: identityOf(client),
    revisions,
    prior,
    connectMs: timeouts.connectMs,
    probeMs: timeouts.probeMs,
    signal,
    clock,
    limits,
    onError,
    onMessage: undefined,
    onRequest: (request, connection) => events.onRequest(request, { connection }),
    onNotification: events.onNotification,
    ask: unasked,
    onEnd(error) {
      tellEnd?.(error)
      if (session !== undefined) events.onLost(error)
      else ends.push(error) // what ends before it is open fails to open, and is not lost
    },
    onCodec: (agreed) => (codec = agreed),
    onProbeLost: lost,
  })
  if (ends.length > 0) events.onLost(ends[0])
  else if (session.kind === 'legacy') {
    const { kind, peer } = transport
    const { revision } = session.codec
    tellEnd = observer?.watchSession?.({ side: 'client', revision, transport: kind, peer })
  }
  return session
}

/** Nothing is answered here: questions in results go to whoever the call is for. */
function unasked(): never {
  throw new TypeError('a proxy answers no questions itself')
}

function identityOf({ info, capabilities }: ClientIdentity): Identity {
  return {
    info,
    capabilities,
    level: undefined,
    envelope: (version) =>
      writeEnvelope({ version, capabilities: sessionless(capabilities), client: info }),
  }
}

/** Without a session there is nothing to announce a change in, and nobody to work for as a task. */
export function sessionless({ roots, tasks: _, ...rest }: ClientCapabilities): ClientCapabilities {
  return roots === undefined ? rest : { ...rest, roots: {} }
}

/** How the server is reached, each time. */
export type OpenTransport = (link: TransportLink) => MaybePromise<Transport>

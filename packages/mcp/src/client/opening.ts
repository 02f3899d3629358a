import type { Clock } from '../rpc/clock.ts'
import type { OnError } from '../rpc/error-report.ts'
import type { ResolvedLimits } from '../rpc/limits.ts'
import type { Notification } from '../rpc/message.ts'
import type { Transport } from '../rpc/transport.ts'
import { cancelledParams } from '../schema/cancellation.ts'
import type { ClientCapabilities } from '../schema/capabilities.ts'
import type { Implementation } from '../schema/metadata.ts'
import type { Revision } from '../schema/revision.ts'
import { keepAlive } from '../session/heartbeat.ts'
import type { Codec } from '../wire/codec.ts'
import { spokenRevisions } from '../wire/revisions.ts'
import type { SessionWatch } from './keep-connected.ts'
import type { NotificationStream } from './notification-stream.ts'
import { defaultTimeouts, type ConnectOptions } from './options.ts'
import {
  createQuestions,
  type AskedBy,
  type QuestionHandlers,
  type Questions,
} from './questions.ts'
import { openSession, type ClientSession } from './session.ts'
import type { TransportLink } from './transport-link.ts'

/** Who we say we are when nobody says otherwise. */
const ourselves: Implementation = { name: '@parley/mcp', version: '0.1.0' }

/** What a session of one client is opened with, each time. */
export interface OpeningParts {
  readonly openTransport: (link: TransportLink) => Transport | Promise<Transport>
  readonly options: ConnectOptions
  readonly capabilities: ClientCapabilities
  readonly clock: Clock
  readonly limits: ResolvedLimits
  readonly stream: NotificationStream
  readonly handlers: () => QuestionHandlers
  readonly about: () => Omit<AskedBy, 'signal'>
  readonly onNotification: (notification: Notification) => void
  /** Messages that belong to no call may have been missed. */
  readonly onGap: () => void
  readonly onError: OnError
}

/** Opens a transport and a session on it, answers what the server asks there, and sees whether it lives. */
export async function openOnce(
  parts: OpeningParts,
  watch: SessionWatch,
  closed: AbortSignal,
): Promise<ClientSession> {
  const { options, clock, limits, stream, onError } = parts
  let codec: Codec | undefined
  let heartbeat: Disposable | undefined
  stream.use(undefined)
  const transport = await parts.openTransport({
    needsStream: stream.isNeeded,
    onNeed: stream.use,
    onHealth: (health) => watch.onHealth(health),
    onGap: parts.onGap,
  })
  const questions = createQuestions({
    codec: () => codec,
    handlers: parts.handlers,
    about: parts.about,
    inputMs: options.timeouts?.inputMs ?? defaultTimeouts.inputMs,
    clock,
    compileSchema: options.compileSchema,
    onError,
  })
  const session: ClientSession = await openSession(transport, {
    info: options.info ?? ourselves,
    capabilities: parts.capabilities,
    revisions: revisionsOf(options.era),
    connectMs: options.timeouts?.connectMs ?? defaultTimeouts.connectMs,
    signal: options.signal ? AbortSignal.any([options.signal, closed]) : closed,
    clock,
    limits,
    onError,
    onMessage: options.onMessage,
    onRequest: questions.onRequest,
    onNotification(notification) {
      if (notification.method === 'notifications/cancelled') cancel(questions, notification)
      else parts.onNotification(notification)
    },
    onEnd(error) {
      heartbeat?.[Symbol.dispose]()
      questions.abortAll(error)
      watch.onLost(error)
    },
    onCodec: (agreed) => (codec = agreed),
  })
  if (options.heartbeat) {
    heartbeat = keepAlive(session.connection, clock, options.heartbeat, onError)
  }
  return session
}

function cancel(questions: Questions, { params }: Notification): void {
  if (cancelledParams(params) !== undefined) return
  const { requestId, reason } = params
  questions.cancel(requestId as string | number, reason as string | undefined) // just checked
}

function revisionsOf(era: ConnectOptions['era'] = 'auto'): readonly string[] {
  if (era === 'auto' || era === 'legacy') return spokenRevisions
  return era === 'modern' ? ['2026-07-28' satisfies Revision] : [era]
}

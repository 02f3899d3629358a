import { decodeMessage } from '../../../rpc/message.ts'
import type { ClusterMessageTypes } from '../cluster-mail.ts'
import type { EndpointService } from '../service.ts'
import type { HttpSession } from '../sessions/http-session.ts'
import { shareChanges } from './shared-changes.ts'

/** Does what other processes ask of this one, and tells them of changes until it is disposed of. Undefined without others. */
export function hearOthers(service: EndpointService): Disposable | undefined {
  const { mail, sessions } = service
  if (mail === undefined) return undefined
  const changes = shareChanges(service, mail)

  mail.on('from-client', ({ key, message }) => hearClient(sessions.byKey(key), message))
  mail.on('request-cancelled', ({ key, requestId, reason }) => {
    const session = sessions.byKey(key)
    if (session?.peer.isWorkingOn(requestId)) session.peer.calls.cancel(requestId, reason)
  })
  mail.on('listening', ({ key, node, listener }) =>
    sessions.byKey(key)?.listeners?.hear(node === mail.node ? listener : undefined),
  )
  mail.on('for-listener', ({ key, message }) => {
    sessions.byKey(key)?.tellHere(JSON.stringify(message))
  })
  mail.on('server-changed', changes.hear)
  mail.onGap(() => {
    for (const session of sessions.all()) session.listeners?.hearGap()
    changes.announceAll()
  })
  return changes
}

/** Only the session that was asked can answer: a request is looked for among its own. */
function hearClient(
  session: HttpSession | undefined,
  message: ClusterMessageTypes['from-client']['message'],
): void {
  const decoded = decodeMessage(message)
  if (decoded.kind === 'result' || decoded.kind === 'error') void session?.peer.response(decoded)
  if (decoded.kind === 'notification' && decoded.method === 'notifications/progress') {
    void session?.peer.notification(decoded)
  }
}

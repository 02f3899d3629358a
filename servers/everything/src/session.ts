import type { IncomingRequest } from '@parley/mcp/server'

/** A file made by a tool, for the session that asked for it. */
export interface SessionFile {
  readonly name: string
  readonly mimeType: string
  readonly bytes: Uint8Array
}

/** What this server keeps about one session, as long as the session lasts. */
export interface Session {
  isLogging: boolean
  readonly files: Map<string, SessionFile>
}

/** The session a request belongs to; one for all requests of a caller where the protocol has no sessions. */
export type FindSession = (
  request: Pick<IncomingRequest, 'client' | 'revision' | 'auth'>,
) => Session

/** A definition remembers no caller, so what belongs to one is kept beside it. */
export function createSessions(): FindSession {
  // `client` is one object for all requests of a session, and nobody else holds it afterwards: the entry goes with it.
  const sessions = new WeakMap<IncomingRequest['client'], Session>()
  const callers = new Map<string, Session>()

  function ofCaller(name: string): Session {
    const session = callers.get(name) ?? newSession()
    callers.delete(name)
    callers.set(name, session) // the newest is last
    const [oldest] = callers.keys()
    if (callers.size > mostCallers && oldest !== undefined) callers.delete(oldest)
    return session
  }

  return ({ client, revision, auth }) => {
    // From 2026-07-28 on every request stands for itself. Callers whom nobody verified cannot be told apart.
    if (revision >= '2026-07-28') return ofCaller(auth ? `${auth.issuer} ${auth.subject}` : '')
    const session = sessions.get(client) ?? newSession()
    sessions.set(client, session)
    return session
  }
}

function newSession(): Session {
  return { isLogging: false, files: new Map() }
}

const mostCallers = 100
const mostFiles = 50

/** Replaces a file of the same name; the oldest makes room when there are too many. */
export function keepFile({ files }: Session, file: SessionFile): void {
  files.delete(file.name)
  files.set(file.name, file)
  const [oldest] = files.keys()
  if (files.size > mostFiles && oldest !== undefined) files.delete(oldest)
}

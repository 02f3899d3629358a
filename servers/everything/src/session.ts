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

/**
 * A definition remembers no caller, so what belongs to one is kept beside it. `context.client` is one object for all
 * requests of a session and nobody else holds it afterwards: the entry goes when the session has gone.
 */
const sessions = new WeakMap<IncomingRequest['client'], Session>()

/** The session a request belongs to. */
export function sessionOf({ client }: Pick<IncomingRequest, 'client'>): Session {
  const known = sessions.get(client)
  if (known !== undefined) return known
  const session: Session = { isLogging: false, files: new Map() }
  sessions.set(client, session)
  return session
}

const mostFiles = 50

/** Replaces a file of the same name; the oldest makes room when there are too many. */
export function keepFile({ files }: Session, file: SessionFile): void {
  files.delete(file.name)
  files.set(file.name, file)
  const [oldest] = files.keys()
  if (files.size > mostFiles && oldest !== undefined) files.delete(oldest)
}

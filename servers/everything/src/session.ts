import { createPerSession, type SessionRequest } from '@parley/server-kit/program'

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
export type FindSession = (request: SessionRequest) => Session

/** A definition remembers no caller, so what belongs to one is kept beside it. */
export function createSessions(): FindSession {
  return createPerSession({ create: (): Session => ({ isLogging: false, files: new Map() }) })
}

const maxFiles = 50

/** Replaces a file of the same name; the oldest makes room when there are too many. */
export function keepFile({ files }: Session, file: SessionFile): void {
  files.delete(file.name)
  files.set(file.name, file)
  const [oldest] = files.keys()
  if (files.size > maxFiles && oldest !== undefined) files.delete(oldest)
}

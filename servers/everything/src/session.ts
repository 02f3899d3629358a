import { BoundedMap } from '@parley/mcp/internal'
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
  readonly files: BoundedMap<string, SessionFile>
}

/** The session a request belongs to; one for all requests of a caller where the protocol has no sessions. */
export type FindSession = (request: SessionRequest) => Session

/** A definition remembers no caller, so what belongs to one is kept beside it. */
export function createSessions(): FindSession {
  return createPerSession({
    create: (): Session => ({ isLogging: false, files: new BoundedMap(maxFiles) }),
  })
}

const maxFiles = 50

/** Replaces a file of the same name; the oldest makes room when there are too many. */
export function keepFile({ files }: Session, file: SessionFile): void {
  files.set(file.name, file)
}

/** How a request ended that got no answer. */
export type RequestEnd = 'lost' | 'timed out' | 'cancelled'

/** Receives the fate of requests, by their `seq`. */
export interface FateListener {
  onEnd(seq: number, how: RequestEnd, time: number): void
  /** It asked whether the server knows `server/discover`, which an older one does not. */
  onProbe(seq: number): void
  /** It was sent before the program said anything: its time is that of the start as well. */
  onStart(seq: number): void
  /** The program of this record has said its first word. */
  onStarted(seq: number, time: number): void
}

/** Follows the requests of a trace, and what becomes of those that nobody answers. */
export interface RequestFates {
  request(request: {
    readonly seq: number
    readonly connection: string
    readonly method: string
    readonly direction: 'in' | 'out' | undefined
  }): void
  answered(connection: string, seq: number, isError: boolean): void
  /** `notifications/cancelled` named it. */
  cancelled(connection: string, seq: number, reason: string, time: number): void
  /** A message came in. */
  received(connection: string, time: number): void
  /** A connection changed its state. */
  status(connection: string, state: string, time: number): void
  programStarted(connection: string, seq: number): void
}

interface Connection {
  /** Requests without an answer. */
  readonly open: Set<number>
  /** A `server/discover` that may turn out to be a probe. */
  probe: number | undefined
  /** A program that has said nothing yet. */
  program: number | undefined
}

/** The number of open requests, above which the oldest are forgotten. */
const maxOpen = 20_000

/** States of a connection in which nothing that was asked before is answered any more. */
export const overStates: ReadonlySet<string> = new Set([
  'closed',
  'failed',
  'reconnecting',
  'sign-in needed',
])

/** Follows the messages of a trace and tells what becomes of each request. */
export function createRequestFates(listener: FateListener): RequestFates {
  const connections = new Map<string, Connection>()

  function find(name: string): Connection {
    const connection = connections.get(name)
    if (connection) return connection
    const made = { open: new Set<number>(), probe: undefined, program: undefined }
    connections.set(name, made)
    return made
  }

  return {
    request({ seq, connection: name, method, direction }) {
      const connection = find(name)
      const { open, program } = connection
      open.add(seq)
      if (open.size > maxOpen) for (const oldest of open) if (open.delete(oldest)) break
      if (direction !== 'out') return
      if (program !== undefined) listener.onStart(seq)
      if (method === 'server/discover') connection.probe = seq
      if (method !== 'initialize' || connection.probe === undefined) return
      open.delete(connection.probe)
      listener.onProbe(connection.probe)
      connection.probe = undefined
    },
    answered(name, seq, isError) {
      const connection = find(name)
      connection.open.delete(seq)
      if (connection.probe === seq && !isError) connection.probe = undefined
    },
    cancelled(name, seq, reason, time) {
      if (find(name).open.delete(seq)) listener.onEnd(seq, endBy(reason), time)
    },
    received(name, time) {
      const connection = find(name)
      if (connection.program === undefined) return
      listener.onStarted(connection.program, time)
      connection.program = undefined
    },
    status(name, state, time) {
      if (!overStates.has(state)) return
      const connection = find(name)
      for (const seq of connection.open) listener.onEnd(seq, 'lost', time)
      connection.open.clear()
      if (state !== 'reconnecting') connection.program = undefined
    },
    programStarted(name, seq) {
      find(name).program = seq
    },
  }
}

/** Clients say why they wait no longer, each in its own words. */
function endBy(reason: string): RequestEnd {
  return /timed?[ -]?out|longer than \d|\b(?:for|within) \d/i.test(reason)
    ? 'timed out'
    : 'cancelled'
}

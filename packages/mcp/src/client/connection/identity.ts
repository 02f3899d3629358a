import type { ClientCapabilities } from '../../schema/capabilities.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { LoggingLevel } from '../../schema/logging.ts'
import type { Implementation } from '../../schema/metadata.ts'
import { writeEnvelope } from '../../wire/request-meta.ts'
import { capabilitiesFor } from '../input/input-handlers.ts'
import type { ConnectOptions } from '../options.ts'

/** The default name of a client. */
const ourselves: Implementation = { name: '@parley/mcp', version: '0.1.0' }

/** The name and the capabilities of a client. */
export interface ClientIdentity {
  readonly info: Implementation
  readonly capabilities: ClientCapabilities
}

/** The identity that a session sends to the server: once in `initialize`, or with every request in the modern era. */
export interface SessionIdentity extends ClientIdentity {
  /** `_meta` of a request in the modern era. */
  envelope(revision: string): JsonObject
}

/** The identity of a client made by `connect()`, which may change the level of logs that it wants. */
export interface Identity extends SessionIdentity {
  /** Logs wanted from now on. */
  level: LoggingLevel | undefined
}

/** The identity that follows from the options of a client: its name, its handlers, its extensions. */
export function createIdentity(options: ConnectOptions): Identity {
  const { info, experimental, extensions = [], onLog } = options
  const own = capabilitiesFor(options)
  const capabilities: ClientCapabilities = {
    ...own,
    ...Object.assign(
      {},
      ...extensions.map((each) => each['~client']?.inputRequests?.(own)?.capabilities),
    ),
    ...(experimental && { experimental }),
    ...(extensions.length > 0 && {
      extensions: Object.fromEntries(extensions.map(({ id, settings = {} }) => [id, settings])),
    }),
  }
  const standalone = withoutSession(capabilities)
  let written: { readonly revision: string; readonly meta: JsonObject } | undefined

  const identity: Identity = {
    info: info || ourselves,
    capabilities,
    get level() {
      return logLevel
    },
    set level(wanted) {
      logLevel = wanted
      written = undefined
    },
    envelope(revision) {
      if (written?.revision === revision) return written.meta
      // Legacy servers send logs from `info` up by default. The same level is requested in the modern era.
      const wanted = logLevel ?? (onLog && 'info')
      const meta = writeEnvelope({
        version: revision,
        capabilities: standalone,
        ...(info !== false && { client: identity.info }),
        ...(wanted !== undefined && { logLevel: wanted }),
      })
      written = { revision, meta }
      return meta
    },
  }
  let logLevel: LoggingLevel | undefined
  return identity
}

/** `_meta` of a modern request that says who the client is, without a level of logs. */
export function envelopeOf({ info, capabilities }: ClientIdentity, version: string): JsonObject {
  return writeEnvelope({ version, capabilities: withoutSession(capabilities), client: info })
}

/** Without a session there is nothing to announce a change in, and nobody to work for as a task. */
export function withoutSession({
  roots,
  tasks: _,
  ...rest
}: ClientCapabilities): ClientCapabilities {
  return roots === undefined ? rest : { ...rest, roots: {} }
}

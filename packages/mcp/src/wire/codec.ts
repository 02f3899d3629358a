import type { RpcError } from '../rpc/errors/rpc-error.ts'
import type { WireError } from '../rpc/message.ts'
import type { Implementation } from '../schema/metadata.ts'
import type { Revision } from '../schema/revision.ts'

/**
 * Writes what answers requests as one revision has it. Pure; the only code that knows what a revision lacks, beside that
 * of a client's own requests (`request-codec.ts`) and of questions (`question-codec.ts`).
 */
export interface Codec {
  readonly revision: Revision
  readonly has: WireFeatures
  /** Methods a client may send in this revision. What is not here does not exist, whoever handles it. */
  readonly clientRequests: ReadonlySet<string>
  /** The methods that a server may send to a client, by request or in a result. */
  readonly inputMethods: ReadonlySet<string>
  /** A result as this revision writes it; the same object when nothing needs changing. */
  encodeResult(method: string, result: object, server?: Implementation): object
  /** Params of a notification. */
  encodeParams(method: string, params: object): object
  encodeError(error: RpcError): WireError
}

/** The features of a revision. Code checks these flags, never the date. */
export interface WireFeatures {
  /** A connection begins with `initialize` and is a session; else every request says all about its caller. */
  readonly initialize: boolean
  /** The server sends requests while it works; else its questions end the round and the client comes again. */
  readonly serverRequests: boolean
  /** `title` beside `name`. */
  readonly titles: boolean
  /** `_meta` on listed items, contents and content blocks, not only on params and results. */
  readonly itemMeta: boolean
  /** Icons, and description and website of an implementation. */
  readonly icons: boolean
  readonly toolAnnotations: boolean
  /** `outputSchema` and `structuredContent`: not at all, with an object as root, or with any. */
  readonly structuredContent: 'none' | 'objects' | 'any'
  readonly audio: boolean
  readonly resourceLinks: boolean
  /** `annotations.lastModified`. */
  readonly lastModified: boolean
  readonly completionContext: boolean
  /** The `completions` capability; the method itself is older. */
  readonly completionsCapability: boolean
  /**
   * Not at all; flat forms with untitled enums and defaults on booleans only; or titled and multiple choice, defaults
   * and links too.
   */
  readonly elicitation: 'none' | 'plain' | 'full'
  /** A link carries an id, and the server may say when it has been dealt with. */
  readonly elicitationIds: boolean
  /** Tools in sampling, and several blocks in one message. */
  readonly samplingTools: boolean
  readonly progressMessage: boolean
  readonly batches: boolean
  /** An event stream begins with an id to resume from, and the server may let go of it while the work goes on. */
  readonly polling: boolean
  /** Work that outlives its request: not at all, as the client asks, or as the server decides. */
  readonly tasks: 'none' | 'core' | 'extension'
}

import type { WireError } from '../rpc/message.ts'
import type { RpcError } from '../rpc/rpc-error.ts'
import type { Revision } from '../schema/revision.ts'

/** Translates between the internal model and one revision. Pure; the only code that knows what a revision lacks. */
export interface Codec {
  readonly revision: Revision
  readonly has: WireFeatures
  /** Methods a client may send in this revision. What is not here does not exist, whoever handles it. */
  readonly clientRequests: ReadonlySet<string>
  /** Methods a server may send in this revision. */
  readonly serverRequests: ReadonlySet<string>
  /** A result as this revision writes it; the same object when nothing needs changing. */
  encodeResult(method: string, result: object): object
  /** Params of a request or notification; throws `RpcError` for what this revision cannot say. */
  encodeParams(method: string, params: object): object
  decodeResult(method: string, result: object): object
  encodeError(error: RpcError): WireError
  decodeError(error: WireError, method: string): RpcError
}

/** What a revision can express. Features ask these flags, never the date. */
export interface WireFeatures {
  /** `title` beside `name`. */
  readonly titles: boolean
  /** `_meta` on listed items, contents and content blocks, not only on params and results. */
  readonly itemMeta: boolean
  /** Icons, and description and website of an implementation. */
  readonly icons: boolean
  readonly toolAnnotations: boolean
  /** `outputSchema` and `structuredContent`: not at all, or with an object as root. */
  readonly structuredContent: 'none' | 'objects'
  readonly audio: boolean
  readonly resourceLinks: boolean
  /** `annotations.lastModified`. */
  readonly lastModified: boolean
  readonly completionContext: boolean
  /** The `completions` capability; the method itself is older. */
  readonly completionsCapability: boolean
  /** Not at all, or flat forms with untitled enums and defaults on booleans only. */
  readonly elicitation: 'none' | 'plain'
  readonly progressMessage: boolean
  readonly batches: boolean
}

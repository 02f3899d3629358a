import type { ClientCapabilities } from '../../schema/capabilities.ts'
import type {
  ElicitRequestURLParams,
  ElicitResult,
  ElicitURLResult,
} from '../../schema/input/elicitation.ts'
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
} from '../../schema/input/sampling.ts'
import type { Implementation } from '../../schema/metadata.ts'
import type { JsonSchema } from '../../schema/standard-schema.ts'
import type { RootsOption } from './roots.ts'

/** A form with a plain JSON Schema to fill in, or a URL to offer. The request comes with its server. */
export type ElicitHandler = (
  request:
    | { readonly mode: 'form'; readonly message: string; readonly requestedSchema: JsonSchema }
    | ElicitRequestURLParams,
  about: InputContext,
) => ElicitResult | ElicitURLResult | Promise<ElicitResult | ElicitURLResult>

/** Throwing refuses: the call that led here fails, and the server never sees why. */
export type SampleHandler = (
  params: CreateMessageRequestParams,
  about: InputContext,
) => CreateMessageResult | Promise<CreateMessageResult>

/** On whose behalf something is asked. */
export interface InputContext {
  /** Which server asks, as it describes itself; undefined if it did not. */
  readonly server: Implementation | undefined
  /** The call that led to the request, if that is known: while exactly one is in progress. */
  readonly operation?: string
  /** The tool or prompt name, or the resource URI, of that call. */
  readonly name?: string
  /** Set if the request is answered as a task, in 2025-11-25. */
  readonly taskId?: string
  /** Aborts when the answer is no longer needed: the call was cancelled or the connection is gone. */
  readonly signal: AbortSignal
}

/** A way to ask the user: a form to fill in, or a link to open. */
export type ElicitMode = 'form' | 'url'

/** The handlers of a client for input requests. */
export interface InputHandlers {
  readonly elicit?: ElicitHandler | undefined
  readonly elicitModes?: readonly ElicitMode[] | undefined
  readonly sample?: SampleHandler | undefined
  readonly sampling?: SamplingOptions | undefined
  readonly roots?: RootsOption | undefined
}

/** The abilities of a client's model besides answering in text. */
export interface SamplingOptions {
  /** It may be given tools to use. @defaultValue false */
  readonly tools?: boolean | undefined
  /** It may be given context of this or all servers. @defaultValue false */
  readonly context?: boolean | undefined
}

/** Returns the capabilities that follow from these handlers. */
export function capabilitiesFor(handlers: InputHandlers): ClientCapabilities {
  const { elicit, sample, sampling, roots } = handlers
  const modes = elicit ? modesOf(handlers) : []
  return {
    ...(modes.length > 0 && { elicitation: Object.fromEntries(modes.map((mode) => [mode, {}])) }),
    ...(sample && {
      sampling: {
        ...(sampling?.tools && { tools: {} }),
        ...(sampling?.context && { context: {} }),
      },
    }),
    ...(roots && { roots: { listChanged: true } }),
  }
}

/** Ways to ask the user that `elicit` can show. */
export function modesOf({ elicitModes = ['form', 'url'] }: InputHandlers): readonly ElicitMode[] {
  return elicitModes
}

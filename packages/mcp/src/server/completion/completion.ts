import type { Completion } from '../../schema/completion.ts'
import type { RequestContext } from '../context.ts'

/** Suggests values for what has been typed; `known` holds the arguments already filled in. */
export type Completer<App = unknown> = (
  value: string,
  known: { readonly [name: string]: string },
  context: RequestContext<App>,
) => readonly string[] | Completion | Promise<readonly string[] | Completion>

/** Completers by argument; what has none completes to nothing. */
export interface Completers {
  readonly [argument: string]: Completer<never> | undefined
}

/** What completion needs to know of a prompt or a template. */
export interface Completable {
  readonly complete?: Completers | undefined
  readonly scopes?: readonly string[] | ((...args: never) => readonly string[]) | undefined
}

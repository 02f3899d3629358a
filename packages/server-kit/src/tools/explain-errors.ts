import { ToolError } from '@parley/mcp'

/** Runs work; throws what it throws, or a `ToolError` of the same words. */
export type Explained = <R>(work: () => Promise<R>) => Promise<R>

/**
 * For errors whose messages are for the model, such as a path that is not allowed: they become the answer of the tool.
 * All others stay faults of the server, of which callers learn nothing.
 */
export function explainErrors(isForModel: (error: Error) => boolean): Explained {
  return async (work) => {
    try {
      return await work()
    } catch (error) {
      const isNotified =
        error instanceof Error && !(error instanceof ToolError) && isForModel(error)
      throw isNotified ? new ToolError(error.message, { cause: error }) : error
    }
  }
}

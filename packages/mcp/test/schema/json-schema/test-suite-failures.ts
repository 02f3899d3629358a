/** What the engine is known to get wrong, by draft, each for a reason given in the documentation. */
export const knownFailures: Readonly<Record<string, readonly string[]>> = {}

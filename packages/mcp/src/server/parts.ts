import { later } from '../rpc/later.ts'

// Parts of a server that most never need, each behind one file.

/** Checking with JSON Schema. */
export const loadSchemaEngine = part(() => import('./schema-engine.ts'))

/** What a handler asks with, and pings. */
export const askingPart = later(() => import('./asking/asking.ts'))

/** Going on where an earlier round ended, and ending one. */
export const loadRounds = part(() => import('./asking/rounds.ts'))

/** What is to be done once. */
export const oncePart = later(() => import('./once.ts'))

/** Links that have to be opened first. */
export const loadLinks = part(() => import('./asking/link.ts'))

/** Layers, and features that may be hidden or another server's. */
export const indirectPart = later(() => import('./indirect.ts'))

/** Resources, prompts, and completion. */
export const loadReading = part(() => import('./reading/reading.ts'))

/** Lists that are not the same for everyone. */
export const loadLists = part(() => import('./reading/lists.ts'))

/** A request that lasts, and hears of changes. */
export const loadListening = part(() => import('./following/listen.ts'))

/** Following one resource. */
export const loadSubscribing = part(() => import('./following/subscriptions.ts'))

/** Bodies of files and responses that a tool returned. */
export const loadBinaryResult = part(() => import('./reading/binary-result.ts'))

/** Results written by hand, values that do not fit, and what should not be returned. */
export const writtenResultPart = later(() => import('./reading/written-result.ts'))

/* @__NO_SIDE_EFFECTS__ */
function part<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return later(load).load
}

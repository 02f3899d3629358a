import { later } from '../rpc/later.ts'

// Parts of a server that most never need, each behind one file.

/** Checking with JSON Schema. */
export const loadSchemaEngine = part(() => import('./schema-engine.ts'))

/** What a handler asks with, and pings. */
export const askingPart = later(() => import('./input/asking.ts'))

/** Going on where an earlier round ended, and ending one. */
export const loadRounds = part(() => import('./input/input-rounds.ts'))

/** What is to be done once. */
export const oncePart = later(() => import('./input/once.ts'))

/** Links that have to be opened first. */
export const loadLinks = part(() => import('./input/link.ts'))

/** Layers, and features that may be hidden or another server's. */
export const indirectPart = later(() => import('./indirect.ts'))

/** Resources, prompts, and completion. */
export const loadReading = part(() => import('./resources/reading.ts'))

/** Lists that are not the same for everyone. */
export const loadLists = part(() => import('./lists/caller-lists.ts'))

/** A request that lasts, and hears of changes. */
export const loadListening = part(() => import('./subscriptions/listen.ts'))

/** Following one resource. */
export const loadSubscribing = part(() => import('./subscriptions/subscriptions.ts'))

/** Bodies of files and responses that a tool returned. */
export const loadBinaryResult = part(() => import('./tools/binary-result.ts'))

/** Results written by hand, values that do not fit, and what should not be returned. */
export const writtenResultPart = later(() => import('./resources/written-result.ts'))

/* @__NO_SIDE_EFFECTS__ */
function part<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return later(load).load
}

import type { ServerExchange } from '../consent/consent.ts'

/** Writes down what a server is given, before it gets it. What cannot be written does not happen. */
export type RecordExchange = (exchange: ServerExchange) => Promise<void>

/** For hosts whose consent keeps no audit. */
export async function noRecord(): Promise<void> {}

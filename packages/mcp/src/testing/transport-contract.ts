import type { Transport } from '../rpc/transport.ts'
import { closingCases } from './transport-contract-closing.ts'
import { flowCases } from './transport-contract-flow.ts'
import { messageCases } from './transport-contract-messages.ts'

/** One promise of a transport, for any test runner: `run` rejects with a plain Error when it is broken. */
export interface TransportCase {
  /** The promise, as the title of a test. */
  readonly name: string
  /** Rejects if the promise is broken. */
  run(): Promise<void>
}

/** Opens a fresh channel and gives both of its ends. */
export type OpenPair = () => Promise<readonly [Transport, Transport]>

/** The promises of every transport, as cases for any test runner. */
export function transportContract(openPair: OpenPair): readonly TransportCase[] {
  return [...messageCases, ...flowCases, ...closingCases].map(({ name, check }) => ({
    name,
    async run() {
      const [left, right] = await openPair()
      try {
        await check(left, right)
      } finally {
        await left[Symbol.asyncDispose]()
        await right[Symbol.asyncDispose]()
      }
    },
  }))
}

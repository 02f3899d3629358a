import { describeTokenStore } from '../../../../test-support/token-store-contract.ts'
import { memoryStore } from '../../src/client/grants/memory-store.ts'

describeTokenStore('memory', async () => memoryStore())

import { memoryStore } from '../../src/client/grants/memory-store.ts'
import { describeTokenStore } from '../support/store-contract.ts'

describeTokenStore('memory', async () => memoryStore())

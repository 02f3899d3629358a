import { createMemoryTokenStore } from '@parley/auth/client'

import { describeTokenStore } from '../../../../test-support/token-store-contract.ts'

describeTokenStore('memory', async () => createMemoryTokenStore())

import { describe } from 'vitest'

import { relaysEverything } from './relaying.ts'

describe('a client with a session in front of a server with sessions', () => {
  relaysEverything('legacy', 'legacy')
})
